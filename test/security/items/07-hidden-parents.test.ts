import { CollectionsModule } from 'doorward';
import { Ticket, TicketMark, Topic } from '../../e2e/extension/helpdesk';
import { create, read, seed, update, type World } from '../../factories';
import { type Reply, startTestApp } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

const ME = '$CURRENT_USER';
const MINE = { owner: { _eq: ME } };
const PUBLISHED = { article: { status: { _eq: 'published' } } };

/**
 * Each may change the title and the notes of every article, but sees only her own ones: what notes of theirs may be
 * depends on their article.
 */
const changing = [
  read('articles', ['title'], MINE),
  read('notes', ['text', 'author'], { author: { _eq: ME } }),
  update('articles', ['title', 'status', 'notes']),
  create('articles', ['title', 'status', 'notes'], {}, { presets: { owner: ME } }),
];
const NOTE_FIELDS = ['id', 'text', 'article'];

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld({
    policies: {
      changing,
      reached: [
        create('notes', NOTE_FIELDS, PUBLISHED, { presets: { author: ME } }),
        update('notes', NOTE_FIELDS, {}, { validation: PUBLISHED }),
      ],
      validated: [
        create('notes', NOTE_FIELDS, {}, { presets: { author: ME }, validation: PUBLISHED }),
      ],
      free: [create('notes', NOTE_FIELDS, {}, { presets: { author: ME } })],
    },
    users: {
      ray: { policies: ['changing', 'reached'] },
      val: { policies: ['changing', 'validated'] },
      fay: { policies: ['changing', 'free'] },
    },
  });
  const { database } = sample.app;
  for (const [id, user, status] of [
    [20, 'ray', 'published'],
    [21, 'ray', 'draft'],
    [22, 'val', 'published'],
    [23, 'fay', 'draft'],
  ] as const)
    await database.query(
      'INSERT INTO articles (id, title, owner, status) VALUES ($1, $2, $3, $4)',
      [...[id, user, sample.id(user), status]],
    );
  // Hidden from all three.
  await database.query(
    `INSERT INTO articles (id, title, status) VALUES (30, 'Hidden', 'published'), (31, 'Hidden', 'draft')`,
  );
  const [own] = await database.query<{ id: string }>(
    `INSERT INTO notes (article, author, text) VALUES (20, $1, 'Own') RETURNING id`,
    [sample.id('ray')],
  );
  sample.name('own', own?.id ?? '');
});

afterAll(() => sample.app.close());

type Ask = (article: number) => Promise<Reply>;
type Notes = (own: string) => object;

const patch =
  (user: string, notes: Notes): Ask =>
  (article) =>
    sample.as(user).patch(`/items/articles/${article}`, { notes: notes(String(sample.id('own'))) });

const mutate =
  (user: string, notes: string): Ask =>
  (article) =>
    sample.graphql(
      user,
      `mutation { update_articles_item(id: ${article}, data: { notes: ${notes} }) { id } }`,
    );

const NEW: Notes = () => ({ create: [{ text: 'x' }] });

/** Each is tried with a hidden article that the rule asks for, and with one that it does not. */
const REFUSED: readonly (readonly [string, Ask, string])[] = [
  ['a new note', patch('ray', NEW), 'FORBIDDEN'],
  ['a new note that a validation judges', patch('val', NEW), 'FAILED_VALIDATION'],
  ['many new notes', patch('ray', () => Array.from('abcdef', (text) => ({ text }))), 'FORBIDDEN'],
  ['a whole list', patch('ray', (id) => [{ id, text: 'x' }]), 'FAILED_VALIDATION'],
  [
    'a note that moves in',
    patch('ray', (id) => ({ update: [{ id, text: 'y' }] })),
    'FAILED_VALIDATION',
  ],
  ['a note that is linked', patch('ray', (id) => [id]), 'FAILED_VALIDATION'],
  ['a new note by GraphQL', mutate('ray', '{ create: [{ text: "x" }] }'), 'FORBIDDEN'],
  [
    'a new note that the database refuses',
    patch('ray', () => ({ create: [{ text: 'x' }, { id: sample.id('own'), text: 'x' }] })),
    'FORBIDDEN',
  ],
];

test.each(REFUSED)(
  '7: nothing can be learned of a hidden row from %s in its list: rules treat it as absent',
  async (_, ask, code) => {
    const before = await sample.items();
    const [asked, other] = [await ask(30), await ask(31)];
    expect(asked.codes).toEqual([code]);
    expect([other.status, other.text]).toEqual([asked.status, asked.text]);
    expect(await sample.items()).toEqual(before);
  },
);

test.each([
  ['that the caller sees', 'ray', 20],
  ['that the caller sees, by its validation', 'val', 22],
  ['that is hidden, where no rule leads to it', 'fay', 30],
])('a note is added to the list of a row %s', async (_, user, article) => {
  expect((await patch(user, NEW)(article)).codes).toEqual([]);
});

test('a visible row is judged by its stored values', async () => {
  expect((await patch('ray', NEW)(21)).codes).toEqual(['FORBIDDEN']);
  // As the last write leaves it.
  const sent = { status: 'published', notes: NEW('') };
  expect((await sample.as('ray').patch('/items/articles/21', sent)).codes).toEqual([]);
});

test('a row that the request makes is judged as it was sent, whoever sees it', async () => {
  const make = (status: string) =>
    sample.as('ray').post('/items/articles', { title: 'x', status, notes: [{ text: 'x' }] });
  expect((await make('published')).codes).toEqual([]);
  expect((await make('draft')).codes).toEqual(['FORBIDDEN']);
});

describe('through a junction that is a collection', () => {
  let world: World;
  let topic: string;

  beforeAll(async () => {
    const app = await startTestApp({
      imports: [CollectionsModule.forFeature([Ticket, Topic, TicketMark])],
      synchronize: true,
    });
    world = await seed(app, {
      policies: {
        marking: [
          read('tickets', ['title'], { title: { _starts_with: 'Seen' } }),
          update('tickets', ['marks']),
          read('topics', ['name']),
          create('topics', ['name']),
          create('ticket_marks', ['ticket', 'topic'], {
            ticket: { title: { _ends_with: 'open' } },
          }),
        ],
      },
      users: { mark: { policies: ['marking'] } },
    });
    const admin = world.as('admin');
    const titles = ['Seen, open', 'Seen, closed', 'Hidden, open', 'Hidden, closed'];
    await admin.post(
      '/items/tickets',
      titles.map((title) => ({ title })),
    );
    topic = String((await admin.post('/items/topics', { name: 'One' })).data['id']);
  });

  afterAll(() => world.app.close());

  it.each([
    ['linked', () => [topic]],
    ['created', () => ({ create: [{ name: 'x' }] })],
    ['linked by a row of the junction', () => ({ create: [{ topic }] })],
  ])('7: nothing can be learned of a hidden row to which one is %s', async (_, marks) => {
    const ask = (ticket: number) =>
      world.as('mark').patch(`/items/tickets/${ticket}`, { marks: marks() });
    const replies = [await ask(3), await ask(4)];
    for (const { codes } of replies) expect(codes).toEqual(['FORBIDDEN']);
    expect(replies[1]?.text).toBe(replies[0]?.text);
    expect((await ask(2)).codes).toEqual(['FORBIDDEN']);
    expect((await ask(1)).codes).toEqual([]);
  });
});
