import { Exclude } from 'class-transformer';
import { IsEmail } from 'class-validator';
import { Collection, CollectionsModule, Field, provideSchema } from 'doorward';
import {
  BeforeInsert,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  type QueryRunner,
  RelationId,
  Unique,
  VersionColumn,
} from 'typeorm';
import { seed } from '../../factories';
import { startTestApp } from '../../support';

/** An entity of the application's own data source, which is no collection. */
@Entity('tbl_buyer')
class Buyer {
  @PrimaryGeneratedColumn() id!: number;
  @OneToMany(() => Order, (order) => order.buyer) orders!: Order[];
}

class Address {
  @Column() street!: string;
}

@Collection('orders', { table: 'tbl_order', existing: true })
@Index(['buyer', 'title'])
@Unique(['buyer', 'mail'])
class Order {
  @Field.expose() @PrimaryGeneratedColumn() id!: number;
  @Field.expose() @Column({ type: 'text' }) title!: string;

  @Index()
  @ManyToOne(() => Buyer, (buyer) => buyer.orders, { eager: true, cascade: true, nullable: true })
  @JoinColumn({ name: 'buyer_id' })
  buyer!: Buyer | null;

  @RelationId((order: Order) => order.buyer) buyerId!: number | null;
  @OneToMany(() => Note, (note) => note.order) notes!: Note[];
  @Column(() => Address) address!: Address;
  @CreateDateColumn() made!: Date;
  @DeleteDateColumn() gone!: Date | null;
  @VersionColumn() version!: number;
  @Exclude() @Column({ type: 'text', update: false, nullable: true }) secret!: string | null;
  @IsEmail() @Column({ type: 'text', nullable: true }) mail!: string | null;

  @BeforeInsert()
  fill(): void {
    this.title = 'filled';
  }
}

@Entity('tbl_note')
class Note {
  @PrimaryGeneratedColumn() id!: number;
  @ManyToOne(() => Order, (order) => order.notes) order!: Order;
}

class Tables1763800000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tbl_buyer (id serial PRIMARY KEY);
      CREATE TABLE tbl_order (
        id serial PRIMARY KEY, title text NOT NULL, buyer_id int REFERENCES tbl_buyer,
        "addressStreet" text, made timestamp NOT NULL DEFAULT now(), gone timestamp,
        version int NOT NULL DEFAULT 1, secret text, mail text)`);
  }

  async down(): Promise<void> {
    // Nothing reverts it.
  }
}

it('an entity of the application is served by what it exposes; the rest is left to the application', async () => {
  const app = await startTestApp({
    imports: [
      CollectionsModule.forFeature([Order]),
      { module: class Old {}, providers: [provideSchema({ migrations: [Tables1763800000000] })] },
    ],
  });
  try {
    const admin = (await seed(app)).as('admin');
    const made = await admin.post('/items/orders', { title: 'paper' });
    expect(made.data).toEqual({ id: 1, title: 'paper' });
    const changed = await admin.patch('/items/orders/1', { title: 'ink' });
    expect(changed.data).toEqual({ id: 1, title: 'ink' });
    expect((await admin.get('/items/orders?fields=buyer')).status).toBe(403);
    expect((await admin.delete('/items/orders/1')).status).toBe(204);
    expect(await app.database.query('SELECT id FROM tbl_order')).toEqual([]);
  } finally {
    await app.close();
  }
});
