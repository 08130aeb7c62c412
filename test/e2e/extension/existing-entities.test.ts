import { Exclude } from 'class-transformer';
import { IsEmail } from 'class-validator';
import { Collection, CollectionsModule, Field, provideSchema } from 'doorward';
import {
  BeforeInsert,
  Column,
  CreateDateColumn,
  DeleteDateColumn,
  Entity,
  ForeignKey,
  Generated,
  Index,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
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
@Index(['title', 'address.street'])
@Unique(['buyer', 'mail'])
@Unique('once', (order: Order) => [order.title, order.address.street])
@ForeignKey(() => Buyer, ['agent'], ['id'])
class Order {
  @Field.expose() @PrimaryGeneratedColumn() id!: number;
  @Field.expose() @Column({ type: 'text' }) title!: string;

  @Index()
  @ManyToOne(() => Buyer, (buyer) => buyer.orders, { eager: true, cascade: true, nullable: true })
  @JoinColumn({ name: 'buyer_id' })
  buyer!: Buyer | null;

  @ForeignKey(() => Buyer) @Column({ type: 'int', nullable: true }) payer!: number | null;
  @Column({ type: 'int', nullable: true }) agent!: number | null;
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
        payer int REFERENCES tbl_buyer, agent int REFERENCES tbl_buyer, "addressStreet" text, made timestamp NOT NULL DEFAULT now(), gone timestamp,
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

/** TypeORM makes a column of the type uuid of each of these, whatever type is declared. */
@Collection('vouchers', { table: 'tbl_voucher', existing: true })
class Voucher {
  @Field.expose() @PrimaryColumn() @Generated('uuid') id!: string;
  @Field.expose() @Column({ type: 'varchar' }) @Generated('uuid') code!: string;
  @Field.expose() @Column() @Generated('increment') number!: number;
}

class Vouchers1763800000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tbl_voucher (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(), code uuid NOT NULL DEFAULT gen_random_uuid(),
        number serial NOT NULL)`);
  }

  async down(): Promise<void> {
    // Nothing reverts it.
  }
}

it('what TypeORM generates as a uuid is a uuid here too', async () => {
  const app = await startTestApp({
    imports: [
      CollectionsModule.forFeature([Voucher]),
      { module: class Old {}, providers: [provideSchema({ migrations: [Vouchers1763800000000] })] },
    ],
  });
  const [id, code] = [
    '6f1e0b0e-0000-4000-8000-000000000001',
    '6f1e0b0e-0000-4000-8000-000000000002',
  ];
  try {
    const admin = (await seed(app)).as('admin');
    expect((await admin.post('/items/vouchers', {})).status).toBe(200);
    const made = await admin.post('/items/vouchers', { id, code, number: 9 });
    expect(made.data).toEqual({ id, code, number: 9 });
    const found = await admin.get(`/items/vouchers?filter[code][_eq]=${code}&fields=id`);
    expect(found.data).toEqual([{ id }]);
    for (const field of ['id', 'code']) {
      const wrong = await admin.post('/items/vouchers', { [field]: 'x' });
      expect(wrong.body).toMatchObject({ errors: [{ extensions: { field } }] });
      expect(wrong.codes).toEqual(['INVALID_PAYLOAD']);
    }
    expect((await admin.get('/items/vouchers/x')).status).toBe(403);
  } finally {
    await app.close();
  }
});
