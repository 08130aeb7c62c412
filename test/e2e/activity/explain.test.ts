import { create, read, remove, update } from '../../factories';
import { openSampleWorld, type SampleWorld } from '../../security/items/sample-world';
import type { Reply } from '../../support';
import { documentOf } from '../openapi/described';

const explained = <T extends object>(rule: T): T => ({ ...rule, explain: true });
const ANY = ['title', 'qty', 'tags'];

const SEED = {
  policies: {
    explaining: [
      read('articles', ['*']),
      explained(create('articles', ['title', 'qty'])),
      explained(update('articles', ANY)),
      update('articles', ['title'], { status: { _eq: 'draft' } }),
      explained(remove('articles')),
    ],
  },
  users: { eli: { policies: ['explaining'] } },
};

let world: SampleWorld;

beforeAll(async () => {
  world = await openSampleWorld(SEED);
}, 120_000);

afterAll(() => world.app.close());

const send = (method: string, path: string, body: unknown, comment?: string): Promise<Reply> =>
  world.as('eli').send(method, path, body, comment === undefined ? {} : { 'x-comment': comment });

function refused(reply: Reply): void {
  expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
  expect(reply.text).toContain('X-Comment');
}

const lastEntry = async (): Promise<object> => {
  const reply = await world
    .as('admin')
    .get('/activity?sort=-id&limit=1&filter[collection][_eq]=articles&fields=action,item,comment');
  return (reply.data as unknown as object[])[0] ?? {};
};

const title = async (id: number): Promise<unknown> =>
  (await world.as('admin').get(`/items/articles/${id}?fields=title,qty`)).data;

describe('A write that is allowed only by rules with `explain`', () => {
  it.each<[string, string, string, unknown]>([
    ['a create', 'POST', '/items/articles', { title: 'Made' }],
    ['several creates', 'POST', '/items/articles', Array(5).fill({ title: 'Made' })],
    ['an update', 'PATCH', '/items/articles/1', { title: 'Changed' }],
    [
      'more fields of a draft than another rule allows',
      'PATCH',
      '/items/articles/3',
      { title: 'Changed', qty: 9 },
    ],
    [
      'an update of several, of which one needs it',
      'PATCH',
      '/items/articles',
      [
        { id: 3, title: 'Fine' },
        { id: 1, title: 'Not' },
      ],
    ],
    ['a delete', 'DELETE', '/items/articles/2', undefined],
  ])('is refused without a comment, and nothing changes: %s', async (_, method, path, body) => {
    refused(await send(method, path, body));
    refused(await send(method, path, body, '   '));
    await world.unchanged();
  });

  it.each<[string, string]>([
    ['too long', 'x'.repeat(2_001)],
    ['impossible to store', 'a%00b'],
  ])('is refused with a comment that is %s', async (_, comment) => {
    refused(await send('PATCH', '/items/articles/1', { title: 'Changed' }, comment));
    await world.unchanged();
  });

  it('is allowed with a comment of 1,200 characters that take two units of UTF-16 each', async () => {
    const comment = encodeURIComponent('😀'.repeat(1_200));
    expect((await send('PATCH', '/items/articles/4', { qty: 2 }, comment)).status).toBe(200);
    expect(await lastEntry()).toMatchObject({ item: '4', comment: '😀'.repeat(1_200) });
  });

  it('is allowed with a comment, which is stored in the log entry', async () => {
    expect(
      (await send('PATCH', '/items/articles/1', { qty: 1, title: 'Why' }, 'A typo')).status,
    ).toBe(200);
    expect(await lastEntry()).toEqual({ action: 'update', item: '1', comment: 'A typo' });
    const encoded = encodeURIComponent('Größe – 中 50 %');
    expect((await send('DELETE', '/items/articles/2', undefined, encoded)).status).toBe(204);
    expect(await lastEntry()).toEqual({ action: 'delete', item: '2', comment: 'Größe – 中 50 %' });
  });

  it('follows the same rules over GraphQL', async () => {
    const query = 'mutation { update_articles_item(id: 4, data: { title: "Spoken" }) { title } }';
    const silent = await world.graphql('eli', query);
    expect([silent.codes, silent.text.includes('X-Comment')]).toEqual([['INVALID_PAYLOAD'], true]);
    expect(await title(4)).toMatchObject({ title: 'Seas' });
    const said = await world
      .as('eli')
      .send('POST', '/graphql', { query }, { 'x-comment': 'Because' });
    expect(said.data).toEqual({ update_articles_item: { title: 'Spoken' } });
    expect(await lastEntry()).toMatchObject({ action: 'update', comment: 'Because' });
  });
});

describe('A write that another rule allows as well', () => {
  it('needs no comment, but logs one that is sent', async () => {
    expect((await send('PATCH', '/items/articles/3', { title: 'Draft' })).status).toBe(200);
    expect(await lastEntry()).toMatchObject({ item: '3', comment: null });
    expect((await send('PATCH', '/items/articles/3', { title: 'Again' }, 'So')).status).toBe(200);
    expect(await lastEntry()).toMatchObject({ item: '3', comment: 'So' });
  });

  it('needs no comment from administrators', async () => {
    expect((await world.as('admin').patch('/items/articles/5', { title: 'Mine' })).status).toBe(
      200,
    );
  });
});

describe('The OpenAPI document names the header of a comment', () => {
  const COMMENT = '#/components/parameters/X-Comment';
  const WITHOUT_ONE = { name: 'X-Comment', in: 'header', required: true };

  it.each<[string, string, string, string, unknown]>([
    ['as required where each write needs one', 'eli', '/items/articles', 'post', WITHOUT_ONE],
    ['for deletes too', 'eli', '/items/articles/{id}', 'delete', WITHOUT_ONE],
    ['where some writes need one', 'eli', '/items/articles/{id}', 'patch', { $ref: COMMENT }],
    ['where none does, since it is logged', 'admin', '/items/site', 'patch', { $ref: COMMENT }],
    ['for the own user', 'admin', '/users/me', 'patch', { $ref: COMMENT }],
  ])('%s', async (_, name, path, verb, expected) => {
    const { paths, components } = await documentOf(world, name);
    expect(paths[path]?.[verb]?.parameters).toContainEqual(
      'in' in (expected as object) ? expect.objectContaining(expected as object) : expected,
    );
    expect(components.parameters['X-Comment']).toMatchObject({ name: 'X-Comment', in: 'header' });
  });

  it('for no read', async () => {
    const { paths } = await documentOf(world, 'eli');
    expect(JSON.stringify(paths['/items/articles']?.['get'])).not.toContain('X-Comment');
  });
});

describe('What is forbidden in any case', () => {
  it('is refused in the same way with and without a comment', async () => {
    const [without, withOne] = [
      await send('PATCH', '/items/articles/1', { secret: 'x' }),
      await send('PATCH', '/items/articles/1', { secret: 'x' }, 'Please'),
    ];
    expect([without.status, without.text]).toEqual([403, withOne.text]);
  });
});
