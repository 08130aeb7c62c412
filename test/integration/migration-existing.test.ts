import { Collection, CollectionsModule, Field, provideSchema } from 'doorward';
import {
  Column,
  DataSource,
  type DataSourceOptions,
  DefaultNamingStrategy,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  PrimaryGeneratedColumn,
  type QueryRunner,
} from 'typeorm';
import { createDataSource, EmbeddedDataSource } from '../../src/database/data-source';
import { seed } from '../factories';
import { makeTestStorage, refusalOf, startTestApp } from '../support';
import { openWorkplace } from './migration-workplace';

/** Each test replays all migrations, on a busy machine. */
jest.setTimeout(900_000);

@Collection('shops', { table: 'tbl_shop', existing: true })
class Shop {
  @Field.expose() @PrimaryGeneratedColumn() id!: number;
  @Field.expose() @Column({ type: 'text' }) name!: string;
}

@Collection('books', { table: 'tbl_book', existing: true })
class Book {
  @Field.expose() @PrimaryGeneratedColumn() id!: number;

  @Field.expose()
  @ManyToOne(() => Shop)
  @JoinColumn({ name: 'shopId' })
  shop!: Shop;

  @Field.expose()
  @ManyToMany(() => Shop)
  @JoinTable({
    name: 'tbl_book_sellers_tbl_shop',
    joinColumn: { name: 'tblBookId' },
    inverseJoinColumn: { name: 'tblShopId' },
  })
  sellers!: Shop[];
}

/** The names that TypeORM gives them by itself are of the team's naming strategy. */
@Collection('books', { table: 'tbl_book', existing: true })
class UnnamedBook {
  @Field.expose() @PrimaryGeneratedColumn() id!: number;

  @Field.expose()
  @ManyToOne(() => Shop)
  @JoinColumn({ name: 'shopId' })
  shop!: Shop;

  @Field.expose() @ManyToMany(() => Shop) @JoinTable() sellers!: Shop[];
}

@Collection('loans')
class Loan {
  @Field.key('integer') id!: number;
  @Field.toOne(() => UnnamedBook) book!: number;
}

const TABLES = `
  CREATE TABLE tbl_shop (id serial PRIMARY KEY, name text NOT NULL);
  CREATE TABLE tbl_book (id serial PRIMARY KEY, "shopId" int REFERENCES tbl_shop);
  CREATE TABLE tbl_book_sellers_tbl_shop (
    "tblBookId" int REFERENCES tbl_book ON DELETE CASCADE,
    "tblShopId" int REFERENCES tbl_shop ON DELETE CASCADE,
    PRIMARY KEY ("tblBookId", "tblShopId"))`;

class Tables1763800000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(): Promise<void> {
    // Nothing reverts it.
  }
}

const registering = (...entities: Parameters<typeof CollectionsModule.forFeature>[0]) => [
  CollectionsModule.forFeature(entities),
  { module: class Old {}, providers: [provideSchema({ migrations: [Tables1763800000000] })] },
];

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** Works with a data source as a team declares it. */
async function withTeamSource(work: (source: DataSource) => Promise<void>): Promise<void> {
  const { storage, drop } = await makeTestStorage();
  const service = createDataSource(storage, { entities: [], migrations: [] });
  const server = service instanceof EmbeddedDataSource ? service.server : undefined;
  await server?.open();
  const source = new DataSource({
    ...(service.options as PostgresOptions),
    ...{ entities: [Shop, Book], synchronize: true, namingStrategy: new DefaultNamingStrategy() },
  });
  try {
    await work(await source.initialize());
  } finally {
    if (source.isInitialized) await source.destroy();
    await server?.close();
    await drop();
  }
}

it('a team’s own data source manages an existing table as before', () =>
  withTeamSource(async (source) => {
    const [shops, books] = [source.getRepository(Shop), source.getRepository(Book)];
    const corner = await shops.save({ name: 'Corner' });
    await books.save({ shop: corner, sellers: [corner] });
    expect(await books.find({ relations: { shop: true, sellers: true } })).toEqual([
      { id: 1, shop: corner, sellers: [corner] },
    ]);
  }));

it('the tables and columns of an existing table are named, and served under these names', async () => {
  const app = await startTestApp({ imports: registering(Shop, Book) });
  try {
    const admin = (await seed(app)).as('admin');
    const made = await admin.post('/items/books?fields=shop.name,sellers.name', {
      ...{ shop: { name: 'Corner' }, sellers: [{ name: 'Market' }] },
    });
    expect(made.data).toEqual({ shop: { name: 'Corner' }, sellers: [{ name: 'Market' }] });
  } finally {
    await app.close();
  }
});

it('a start that misses the junction table of an existing table does not advise a migration', async () => {
  const starting = startTestApp({ imports: registering(Shop, UnnamedBook), logger: false });
  const { message } = await refusalOf(starting);
  expect(message).toMatch(
    /^The database lacks the table tbl_book_sellers\. No generated migration creates /,
  );
});

const { command, onDatabase } = openWorkplace();

it('no migration creates the junction table of an existing table', async () => {
  await onDatabase(TABLES);
  const brought = { books: [Shop, UnnamedBook] };
  expect(await command('migration:generate Nothing', brought)).toContain('nothing to write');
  const lending = { books: [Shop, UnnamedBook, Loan] };
  await command('migration:generate AddLoans', lending);
  expect(await command('migration:run', lending)).toMatch(/Ran AddLoans\d{13}$/);
  expect(await onDatabase("SELECT to_regclass('tbl_book_sellers') AS there")).toEqual([
    { there: null },
  ]);
});
