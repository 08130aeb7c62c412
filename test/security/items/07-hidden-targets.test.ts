import { CollectionsModule } from 'doorward';
import { Ticket, TicketMark, Topic } from '../../e2e/extension/helpdesk';
import { type SeedData, create, read, seed, update, type World } from '../../factories';
import { type Reply, startTestApp } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

const PUBLISHED = { status: { _eq: 'published' } };
const ME = '$CURRENT_USER';
const MINE = { author: { _eq: ME } };
const OWNED = { owner: { _eq: ME } };

/**
 * Quin sees only her own article 6 and her own note. What she may write depends on the rows that it refers to: for a
 * note its article, for an article its category, its owner and its notes.
 */
const SEED: SeedData = {
  policies: {
    asking: [
      read('articles', ['title', 'notes', 'category'], OWNED),
      read('notes', ['text', 'article'], MINE),
      read('categories', ['name'], { name: { _eq: 'World' } }),
      create('notes', ['text', 'article'], { article: PUBLISHED }, { presets: { author: ME } }),
      update('notes', ['text', 'article'], MINE, { validation: { article: PUBLISHED } }),
      create(
        'articles',
        ['title', 'category'],
        { category: { _or: [{ name: { _eq: 'Vault' } }, { parent: { _nnull: true } }] } },
        { presets: { owner: ME } },
      ),
      create('articles', ['id', 'title', 'qty'], { notes: { author: { _eq: ME } } }),
      update('articles', ['title', 'category', 'notes'], OWNED, {
        validation: { category: { name: { _neq: 'Europe' } } },
      }),
    ],
  },
  users: { quin: { policies: ['asking'] } },
};

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld(SEED);
  const { database } = sample.app;
  const quin = sample.id('quin');
  await database.query(
    `INSERT INTO articles (id, title, owner, status, category) VALUES (6, 'Quins', $1, 'published', 1)`,
    [quin],
  );
  const [own] = await database.query<{ id: string }>(
    `INSERT INTO notes (article, author, text) VALUES (6, $1, 'Own') RETURNING id`,
    [quin],
  );
  sample.name('own', own?.id ?? '');
  await database.query(
    `INSERT INTO notes (article, author, text) VALUES (2, $1, 'Quin was here')`,
    [quin],
  );
});

afterAll(() => sample.app.close());

type Ask = (key: number) => Promise<Reply>;

const quin = () => sample.as('quin');
const note = (id: string) => `/items/notes/${sample.fill(id)}`;
const graphql = (mutation: string) => sample.graphql('quin', `mutation { ${mutation} }`);

/** Each is tried with hidden rows that match the rule, with hidden rows that do not, and with a missing row. */
const ASKED: readonly (readonly [string, Ask, readonly number[], string])[] = [
  [
    'a new note',
    (article) => quin().post('/items/notes', { text: 'x', article }),
    [2, 3],
    'FORBIDDEN',
  ],
  [
    'a new note, the second of two',
    (article) =>
      quin().post('/items/notes', [
        { text: 'x', article: 6 },
        { text: 'x', article },
      ]),
    [2, 3],
    'FORBIDDEN',
  ],
  [
    'a new note by GraphQL',
    (article) => graphql(`create_notes_item(data: { text: "x", article: ${article} }) { id }`),
    [2, 3],
    'FORBIDDEN',
  ],
  [
    'a note that moves',
    (article) => quin().patch(note('<own>'), { article }),
    [2, 3],
    'FAILED_VALIDATION',
  ],
  [
    'a note that moves by GraphQL',
    (article) =>
      graphql(`update_notes_item(id: "${sample.id('own')}", data: { article: ${article} }) { id }`),
    [2, 3],
    'FAILED_VALIDATION',
  ],
  [
    'a note that moves as part of another article',
    (article) =>
      quin().patch('/items/articles/6', {
        title: 'x',
        notes: { update: [{ id: sample.id('own'), article }] },
      }),
    [2, 3],
    'FAILED_VALIDATION',
  ],
  [
    'a new article',
    (category) => quin().post('/items/articles', { title: 'x', category }),
    [2, 3],
    'FORBIDDEN',
  ],
  [
    'an article that moves, by a negative rule',
    (category) => quin().patch('/items/articles/6', { category }),
    [2, 3],
    'FAILED_VALIDATION',
  ],
  [
    'the notes of a new article with an existing key',
    (id) => quin().post('/items/articles', { id, title: 'x', qty: 1 }),
    [1, 2],
    'FORBIDDEN',
  ],
];

const MISSING = 999;

test.each(ASKED)(
  '7: nothing can be learned of hidden rows from %s: they are treated as absent',
  async (_, ask, hidden, code) => {
    const before = await sample.items();
    const missing = await ask(MISSING);
    expect(missing.codes).toEqual([code]);
    for (const key of hidden) {
      const reply = await ask(key);
      expect([reply.status, reply.text]).toEqual([missing.status, missing.text]);
    }
    expect(await sample.items()).toEqual(before);
  },
);

test('7: where another rule permits the write, hidden and missing keys are refused alike', async () => {
  const permit = await sample.as('admin').post('/permissions', {
    ...create('notes', ['text', 'article']),
    policy: sample.id('asking'),
  });
  const replies = await Promise.all(
    [2, 3, MISSING].map((article) => quin().post('/items/notes', { text: 'x', article })),
  );
  for (const { codes } of replies) expect(codes).toEqual(['INVALID_FOREIGN_KEY']);
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  await sample.as('admin').delete(`/permissions/${String(permit.data['id'])}`);
});

test.each([{}, { name: 'x' }])(
  '7: hidden and missing rows are refused alike where they are sent as an object with %j',
  async (more) => {
    const send = (id: number) =>
      sample.as('pia').post('/items/articles', { title: 'x', category: { id, ...more } });
    const [hidden, missing] = [await send(3), await send(MISSING)];
    expect([hidden.codes, hidden.text]).toEqual([['INVALID_FOREIGN_KEY'], missing.text]);
  },
);

test('a row that the caller sees is judged by its stored values', async () => {
  expect((await quin().post('/items/notes', { text: 'x', article: 6 })).status).toBe(200);
});

describe('through a junction that is a collection', () => {
  const NAMED = (name: string) => ({ name: { _eq: name } });
  let world: World;
  let topics: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const app = await startTestApp({
      imports: [CollectionsModule.forFeature([Ticket, Topic, TicketMark])],
      synchronize: true,
    });
    world = await seed(app, {
      policies: {
        marking: [
          read('tickets', ['marks']),
          update('tickets', ['marks']),
          read('topics', ['name'], NAMED('seen')),
          read('ticket_marks', ['ticket', 'topic']),
          create('ticket_marks', ['ticket', 'topic'], { topic: { name: { _neq: 'closed' } } }),
        ],
        halving: [
          read('tickets', ['title', 'marks']),
          read('topics', ['name']),
          read('ticket_marks', ['topic']),
          read('ticket_marks', ['ticket'], { topic: NAMED('seen') }),
        ],
      },
      users: { mark: { policies: ['marking'] }, half: { policies: ['halving'] } },
    });
    const names = ['seen', 'open', 'closed'];
    const made = await world.as('admin').post(
      '/items/topics',
      names.map((name) => ({ name })),
    );
    const ids = (made.data as unknown as { id: string }[]).map(({ id }) => id);
    topics = Object.fromEntries(names.map((name, index) => [name, ids[index] ?? '']));
    await world.as('admin').post('/items/tickets', { title: 'One' });
  });

  afterAll(() => world.app.close());

  it('7: nothing can be learned of hidden rows that are linked', async () => {
    const link = (topic: string | undefined) =>
      world.as('mark').patch('/items/tickets/1', { marks: [topic] });
    const missing = await link('00000000-0000-4000-8000-000000000000');
    expect(missing.codes).toEqual(['FORBIDDEN']);
    for (const name of ['open', 'closed'])
      expect((await link(topics[name])).text).toBe(missing.text);
    expect((await link(topics['seen'])).status).toBe(200);
  });

  it('7: a row of it leads nowhere where the caller does not see whose it is', async () => {
    const marks = [topics['seen'], topics['open']];
    await world.as('admin').post('/items/tickets', { id: 7, title: 'Seven', marks });
    const find = (filter: object, fields: string) =>
      world.as('half').send('SEARCH', '/items/tickets', {
        query: { filter: { title: { _eq: 'Seven' }, ...filter }, fields },
      });
    const all = await find({}, 'marks.name,count(marks)');
    expect(all.data).toEqual([{ marks: [{ name: 'seen' }], marks_count: 1 }]);
    expect((await find({ marks: NAMED('seen') }, 'title')).data).toHaveLength(1);
    expect((await find({ marks: NAMED('open') }, 'title')).data).toEqual([]);
  });
});
