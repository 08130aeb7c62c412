import { Collection, CollectionsModule, Field } from 'doorward';
import { create, OWN_USER, read, seed, update, withTables, type World } from '../../factories';
import { changeBySql, startTestApp } from '../../support';

@Collection('shelves')
class Shelf {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) title!: string | null;
  @Field.toMany('books', 'shelf') books!: string[];
}

@Collection('books')
class Book {
  @Field.key('text') code!: string;
  @Field.text({ nullable: true }) title!: string | null;
  @Field.toOne('shelves', { nullable: true }) shelf!: number | null;
}

let world: World;

beforeAll(async () => {
  const app = await startTestApp({
    imports: [CollectionsModule.forFeature([Shelf, Book])],
    synchronize: true,
  });
  const all = [
    read('shelves', ['*']),
    read('books', ['*']),
    read('service_users', ['*'], OWN_USER),
  ];
  const seeded = await seed(app, {
    policies: {
      // Their presets are written below.
      updating: [
        ...all,
        update('shelves', ['title'], {}, { validation: { title: { _nnull: true } } }),
        update('books', ['title']),
      ],
      lending: [...all, update('shelves', ['books']), update('books', ['title', 'shelf'])],
      adding: [
        ...all,
        create('books', ['title', 'shelf'], {}, { presets: { code: '$CURRENT_USER.title' } }),
        create('shelves', ['title', 'books']),
      ],
    },
    users: {
      ann: { policies: ['updating'] },
      bob: { policies: ['lending'] },
      cleo: { title: '', policies: ['adding'] },
      dora: { title: 'D-1', policies: ['adding'] },
    },
    rows: {
      shelves: [{ id: 1, title: 'a' }],
      books: [{ code: 'x', title: 'b', shelf: 1 }],
    },
  });
  world = await withTables(seeded, ['shelves', 'books']);
});

afterAll(() => world.app.close());
afterEach(() => world.restore());

const rule = (policy: string, parts: object): Promise<{ status: number; text: string }> =>
  world.as('admin').post('/permissions', { policy: world.id(policy), ...parts });

describe('a preset for the key', () => {
  it.each<[string, object]>([
    ['shelves', { id: 5 }],
    ['books', { code: 'y' }],
    ['books', { code: '$CURRENT_USER.title' }],
  ])('is refused in a rule for updates of %s: %j', async (collection, presets) => {
    const parts = { collection, action: 'update', fields: ['title'], presets };
    const { status, text } = await rule('updating', parts);
    expect([status, text]).toEqual([400, expect.stringContaining('never changes')]);
  });

  it.each<[string, string, object, object?]>([
    ['ann', '/items/shelves/1', { title: 'z' }],
    ['ann', '/items/books/x', { title: 'z' }],
    ['bob', '/items/shelves/1', { books: { update: [{ code: 'x', title: 'z' }] } }],
  ])('in a rule from before lets %s update nothing: PATCH %s %j', async (name, path, body) => {
    await changeBySql(
      world.app,
      `UPDATE service_permissions SET presets = CASE collection WHEN 'books' THEN '{"code": "y"}' ELSE '{"id": 5}' END::jsonb
        WHERE action = 'update' AND NOT fields @> '{books}'`,
    );
    const { status, codes } = await world.as(name).patch(path, body);
    expect([status, codes]).toEqual([403, ['FORBIDDEN']]);
    const rows = await world
      .as('admin')
      .get('/items/shelves?fields=id,title,books.code,books.title');
    expect(rows.data).toEqual([{ id: 1, title: 'a', books: [{ code: 'x', title: 'b' }] }]);
  });
});

describe('an empty key', () => {
  it('is refused as a preset', async () => {
    const { status, text } = await rule('adding', {
      ...{ collection: 'books', action: 'create', fields: ['title'], presets: { code: '' } },
    });
    expect([status, text]).toEqual([400, expect.stringContaining('must not be empty')]);
  });

  it.each<[string, object]>([
    ['/items/books', { title: 'n' }],
    ['/items/shelves', { title: 'n', books: [{ title: 'n' }] }],
  ])('is refused as the value of a preset: POST %s %j', async (path, body) => {
    expect((await world.as('cleo').post(path, body)).codes).toEqual(['FAILED_VALIDATION']);
  });

  it('is refused where it would be the key of many', async () => {
    const many = Array.from({ length: 5 }, () => ({ title: 'n' }));
    expect((await world.as('cleo').post('/items/books', many)).codes).toEqual([
      'FAILED_VALIDATION',
    ]);
  });

  it('leaves the preset of others as it is', async () => {
    const { data } = await world.as('dora').post('/items/books', { title: 'n' });
    expect(data).toMatchObject({ code: 'D-1' });
  });
});
