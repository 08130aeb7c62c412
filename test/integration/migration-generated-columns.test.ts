import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Collection, CollectionsModule, Field } from 'doorward';
import { Column } from 'typeorm';
import { seed } from '../factories';
import { startTestApp } from '../support';
import { namesIn, openWorkplace } from './migration-workplace';

/** Each test replays all migrations, on a busy machine. */
jest.setTimeout(900_000);

@Collection('books')
class Book {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
  @Field.integer() price!: number;

  @Field.expose()
  @Column({ type: 'text', asExpression: 'lower(title)', generatedType: 'STORED', nullable: true })
  low!: string | null;

  @Field.expose()
  @Column({ type: 'integer', asExpression: 'price*2', generatedType: 'STORED' })
  twice!: number;
}

/** One expression is another, and one column is not generated any more. */
@Collection('books')
class OtherBook {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
  @Field.integer() price!: number;

  @Field.expose()
  @Column({ type: 'text', asExpression: 'upper(title)', generatedType: 'STORED', nullable: true })
  low!: string | null;

  @Field.integer({ nullable: true }) twice!: number | null;
}

const { command, onDatabase, folder } = openWorkplace();

const EXPRESSIONS = `
  SELECT column_name AS name, generation_expression AS made FROM information_schema.columns
  WHERE table_name = 'books' AND is_generated = 'ALWAYS' ORDER BY 1`;

it('a generated column is created, changed, and brought back', async () => {
  const nothing = async (brought: Parameters<typeof command>[1]): Promise<void> => {
    for (const from of ['', ' --from database']) {
      expect(await command(`migration:generate Nothing${from}`, brought)).toContain(
        'nothing to write',
      );
    }
  };
  await command('migration:generate AddBooks', { books: [Book] });
  expect(await command('migration:run', { books: [Book] })).toMatch(/^Ran AddBooks\d{13}$/);
  await nothing({ books: [Book] });
  const first = await onDatabase(EXPRESSIONS);
  expect(first).toEqual([
    { name: 'low', made: 'lower(title)' },
    { name: 'twice', made: '(price * 2)' },
  ]);
  await onDatabase("INSERT INTO books (title, price) VALUES ('A', 3)");
  await command('migration:generate ChangeBooks', { books: [OtherBook] });
  expect(await command('migration:run', { books: [OtherBook] })).toMatch(/^Ran ChangeBooks/);
  await nothing({ books: [OtherBook] });
  expect(await onDatabase(EXPRESSIONS)).toEqual([{ name: 'low', made: 'upper(title)' }]);
  expect(await onDatabase('SELECT low, twice FROM books')).toEqual([{ low: 'A', twice: 6 }]);
  expect(await command('migration:revert', { books: [OtherBook] })).toMatch(/^Reverted Change/);
  expect(await onDatabase(EXPRESSIONS)).toEqual(first);
  for (const file of namesIn(folder('books'))) {
    expect(readFileSync(join(folder('books'), file), 'utf8')).not.toContain('typeorm_metadata');
  }
  await command('migration:run', { books: [OtherBook] });
});

it('a generated column is shown, and is not written', async () => {
  const imports = [CollectionsModule.forFeature([Book])];
  const app = await startTestApp({ imports, synchronize: true });
  try {
    const admin = (await seed(app)).as('admin');
    const made = await admin.post('/items/books', { title: 'Big', price: 2 });
    expect(made.data).toEqual({ id: 1, title: 'Big', price: 2, low: 'big', twice: 4 });
    const changed = await admin.patch('/items/books/1?fields=low,twice', { price: 5 });
    expect(changed.data).toEqual({ low: 'big', twice: 10 });
    const refused = await admin.patch('/items/books/1', { twice: 1 });
    expect([refused.status, refused.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
  } finally {
    await app.close();
  }
});
