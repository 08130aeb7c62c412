import { type Reply, startTestApp } from '../../support';
import { create, read, seed, update, type World } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';

let world: World;
let article: string;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [SampleModule] }), {
    policies: {
      editing: [
        create('articles', ['title']),
        read('articles', ['title']),
        update('articles', ['title']),
      ],
    },
    users: { ed: { policies: ['editing'] } },
  });
  const made = await world.as('admin').post('/items/articles', { title: 'Hills' });
  article = String(made.data['id']);
});

afterAll(() => world.app.close());

const named = ({ body }: Reply): unknown[] =>
  (body as { errors: { extensions: { field?: string } }[] }).errors.map(
    ({ extensions }) => extensions.field,
  );

/** The same payload in each form of a write. */
const writes = (payload: object): [string, string, unknown][] => [
  ['POST', '/items/articles', payload],
  ['POST', '/items/articles', [payload]],
  ['PATCH', `/items/articles/${article}`, payload],
  ['PATCH', '/items/articles', [{ id: article, ...payload }]],
  ['PATCH', '/items/articles', { keys: [article], data: payload }],
];

it('are all reported to an administrator, together with the wrong values', async () => {
  for (const [method, path, body] of writes({ colour: 1, title: 5, size: 2, status: 7 })) {
    const reply = await world.as('admin').send(method, path, body);
    expect(reply.status).toBe(400);
    expect(new Set(reply.codes)).toEqual(new Set(['INVALID_PAYLOAD']));
    expect(named(reply)).toEqual(['colour', 'title', 'size', 'status']);
  }
});

it.each(['/settings', '/users/me'])('are all reported: PATCH %s', async (path) => {
  const reply = await world.as('admin').patch(path, { colour: 1, size: 2 });
  expect([reply.status, named(reply)]).toEqual([400, ['colour', 'size']]);
});

it('are reported up to the usual number', async () => {
  const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`x${at}`, 1]));
  const reply = await world.as('admin').post('/items/articles', many);
  expect(named(reply)).toEqual(Array.from({ length: 10 }, (_, at) => `x${at}`));
});

it('reveal no field to a caller whose rules name only some: hidden and missing are refused alike', async () => {
  for (const field of ['body', 'colour']) {
    for (const [method, path, body] of writes({ title: 5, [field]: 1, size: 2 })) {
      const { status, codes, text } = await world.as('ed').send(method, path, body);
      expect([status, codes]).toEqual([403, ['FORBIDDEN']]);
      expect(text.replaceAll(field, 'F')).toBe(
        '{"errors":[{"message":"You don\'t have permission to access field \\"F\\" of \\"articles\\", or it does not exist.","extensions":{"collection":"articles","field":"F","code":"FORBIDDEN"}}]}',
      );
    }
  }
});

it('are all reported by GraphQL, with the wrong values', async () => {
  const reply = await world
    .as('admin')
    .graphql(
      'mutation ($data: create_articles_input!) { create_articles_item(data: $data) { id } }',
      { data: { colour: 1, size: 2, title: 5 } },
    );
  expect([reply.status, reply.codes.length]).toEqual([400, 3]);
  expect(named(reply)).toEqual(expect.arrayContaining(['colour', 'size']));
});
