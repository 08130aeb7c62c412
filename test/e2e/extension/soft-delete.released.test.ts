import { Collection, CollectionsModule, Field } from 'doorward';
import {
  read,
  remove as removeRule,
  type SeedData,
  seed,
  withTables,
  type World,
} from '../../factories';
import { startTestApp } from '../../support';

@Collection('shelves')
class Shelf {
  @Field.key('integer') id!: number;
  @Field.toOne('shelves', { nullable: true, onDelete: 'CASCADE' }) within!: number | null;
}

@Collection('books')
class Book {
  @Field.key('integer') id!: number;
  @Field.toOne('shelves', { nullable: true, onDelete: 'CASCADE' }) shelf!: number | null;
  @Field.toOne('owners', { nullable: true, onDelete: 'CASCADE' }) owner!: number | null;
}

/** Kept when deleted; its books are not. */
@Collection('owners')
class Owner {
  @Field.key('integer') id!: number;
  @Field.timestamp({ nullable: true, deletedAt: true }) deleted_at!: Date | null;
}

/** Kept when deleted directly, but not when its book is deleted. */
@Collection('pages')
class Page {
  @Field.key('integer') id!: number;
  @Field.toOne('books', { onDelete: 'CASCADE' }) book!: number;
  @Field.timestamp({ nullable: true, deletedAt: true }) deleted_at!: Date | null;
}

@Collection('notes')
class Note {
  @Field.key('integer') id!: number;
  @Field.toOne('books', { nullable: true }) book!: number | null;
  @Field.toOne('pages', { nullable: true }) page!: number | null;
  @Field.timestamp({ nullable: true, deletedAt: true }) deleted_at!: Date | null;
}

@Collection('stamps')
class Stamp {
  @Field.key('integer') id!: number;
  @Field.toOne('books') book!: number;
  @Field.timestamp({ nullable: true, deletedAt: true }) deleted_at!: Date | null;
}

const SEED: SeedData = {
  policies: {
    tidying: [read('pages'), removeRule('pages')],
    noting: [read('notes', ['page'])],
    counting: [read('notes', ['book'])],
  },
  users: { ann: { policies: ['tidying', 'noting'] }, bob: { policies: ['tidying', 'counting'] } },
};
const TABLES = ['shelves', 'owners', 'books', 'pages', 'notes', 'stamps'];
const GONE = `'2024-02-03'`;

/** Book 1 is on shelf 3, which is within shelf 2, within shelf 1; its page 2 and all its notes are deleted. */
const ROWS = [
  `INSERT INTO shelves (id, within) VALUES (1, NULL), (2, 1), (3, 2), (4, NULL)`,
  `INSERT INTO owners (id) VALUES (1)`,
  `INSERT INTO books (id, shelf, owner) VALUES (1, 3, 1), (2, 4, NULL)`,
  `INSERT INTO pages (id, book, deleted_at) VALUES (1, 1, NULL), (2, 1, ${GONE})`,
  `INSERT INTO notes (id, book, page, deleted_at) VALUES
     (1, 1, NULL, ${GONE}), (2, NULL, 1, ${GONE}), (3, NULL, 2, ${GONE}), (4, 2, NULL, ${GONE})`,
];

let world: World;
beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Shelf, Book, Owner, Page, Note, Stamp])];
  const seeded = await seed(await startTestApp({ imports, synchronize: true }), SEED);
  for (const row of ROWS) await seeded.app.database.query(row);
  world = await withTables(seeded, TABLES);
});
afterAll(() => world.app.close());
beforeEach(() => world.restore());

const sql = (text: string): Promise<object[]> => world.app.database.query(text);
const remove = async (path: string): Promise<unknown> => {
  const { status, codes } = await world.as('admin').delete(`/items/${path}`);
  return codes[0] ?? status;
};
const notes = (): Promise<object[]> => sql('SELECT id, book, page FROM notes ORDER BY id');
const LEFT = { id: 4, book: 2, page: null };
const released = [...[1, 2, 3].map((id) => ({ id, book: null, page: null })), LEFT];

describe('A deleted item that refers to a row that is deleted permanently', () => {
  it.each([
    ['directly', 'books/1'],
    ['with its parent', 'shelves/3'],
    ['with several levels of parents', 'shelves/1'],
    ['with a kept owner', 'owners/1'],
  ])('%s loses its reference', async (_, path) => {
    expect(await remove(path)).toBe(204);
    expect(await sql('SELECT id FROM books')).toEqual([{ id: 2 }]);
    expect(await sql('SELECT id FROM pages')).toEqual([]);
    expect(await notes()).toEqual(released);
  });

  it('in a circle loses its reference', async () => {
    await sql('UPDATE shelves SET within = 3 WHERE id = 1');
    expect(await remove('shelves/2')).toBe(204);
    expect(await sql('SELECT id FROM shelves')).toEqual([{ id: 4 }]);
    expect(await notes()).toEqual(released);
  });

  it.each(['books/1', 'shelves/1', 'owners/1'])(
    'prevents that if the reference is required: %s',
    async (path) => {
      await sql(`INSERT INTO stamps (id, book, deleted_at) VALUES (1, 1, ${GONE})`);
      const before = await notes();
      expect(await remove(path)).toBe('INVALID_FOREIGN_KEY');
      expect(await notes()).toEqual(before);
    },
  );

  it.each(['books/1', 'shelves/1', 'owners/1'])(
    'prevents that if a constraint refuses to clear the reference: %s',
    async (path) => {
      await sql('ALTER TABLE notes ADD CONSTRAINT held CHECK (id <> 1 OR book IS NOT NULL)');
      const before = await notes();
      expect(await remove(path)).toBe('INVALID_FOREIGN_KEY');
      expect(await notes()).toEqual(before);
      await sql('ALTER TABLE notes DROP CONSTRAINT held');
    },
  );

  it.each(['books/1', 'shelves/1', 'owners/1'])(
    'does not prevent it, while a live one does: %s',
    async (path) => {
      await sql('UPDATE notes SET deleted_at = NULL WHERE id = 1');
      const before = await notes();
      expect(await remove(path)).toBe('INVALID_FOREIGN_KEY');
      expect(await notes()).toEqual(before);
    },
  );
});

describe('A row that prevents the deletion of an item that is kept', () => {
  beforeEach(() => sql('UPDATE notes SET deleted_at = NULL WHERE id = 2'));
  const answerTo = async (user: string): Promise<unknown> =>
    (await world.as(user).delete('/items/pages/1')).body;

  it('is named like one that the database finds', async () => {
    const message = 'Invalid foreign key in field "page" of "notes".';
    const extensions = { code: 'INVALID_FOREIGN_KEY', collection: 'notes', field: 'page' };
    for (const user of ['admin', 'ann'])
      expect(await answerTo(user)).toEqual({ errors: [{ message, extensions }] });
  });

  it('is not named to who may not read its reference', async () => {
    const extensions = { code: 'INVALID_FOREIGN_KEY' };
    const errors = [{ message: 'Invalid foreign key.', extensions }];
    expect(await answerTo('bob')).toEqual({ errors });
  });
});
