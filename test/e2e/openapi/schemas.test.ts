import { Collection, CollectionsModule, Field } from 'doorward';
import { seed } from '../../factories';
import { startTestApp } from '../../support';
import { type Newsroom, openNewsroom } from '../extension/newsroom';

@Collection('tags')
class Tag {
  @Field.key('integer') id!: number;
  @Field.text() label!: string;
}

@Collection('tags_create')
class TagCreate {
  @Field.key('integer') id!: number;
  @Field.text() reason!: string;
}

let world: Newsroom;

beforeAll(async () => {
  world = await openNewsroom();
});

afterAll(() => world.app.close());

interface Schema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const textOf = async (name: string | null): Promise<string> =>
  (await world.as(name).get('/server/specs/oas')).text;

const documentOf = async (name: string | null): Promise<OpenApi> =>
  JSON.parse(await textOf(name)) as OpenApi;

const methodsOf = ({ paths }: OpenApi, path: string): string[] =>
  Object.keys(paths[path] ?? {})
    .filter((name) => name !== 'parameters')
    .toSorted();

const fieldsOf = ({ components }: OpenApi, schema: string): string[] =>
  Object.keys(components.schemas[schema]?.properties ?? {});

describe('the collections of the OpenAPI document', () => {
  it('are those on which the caller may do something, with the methods that they may use', async () => {
    const bob = await documentOf('bob');
    expect(methodsOf(bob, '/items/articles')).toEqual(['get']);
    expect(methodsOf(bob, '/items/articles/{id}')).toEqual(['get']);
    expect(methodsOf(bob, '/items/notes')).toEqual([]);
    expect(methodsOf(bob, '/items/site')).toEqual(['get']);
    const ann = await documentOf('ann');
    expect(methodsOf(ann, '/items/articles')).toEqual(['delete', 'get', 'patch', 'post']);
    expect(methodsOf(ann, '/items/notes')).toEqual(['get', 'post']);
    const admin = await documentOf('admin');
    expect(methodsOf(admin, '/permissions/{id}')).toEqual(['delete', 'get', 'patch']);
    expect(methodsOf(admin, '/items/site')).toEqual(['get', 'patch']);
  });

  it('have the fields that the caller may read, create and update', async () => {
    const ann = await documentOf('ann');
    expect(fieldsOf(ann, 'articles.create')).toEqual(
      expect.arrayContaining(['title', 'body', 'price', 'notes']),
    );
    expect(fieldsOf(ann, 'articles.create')).not.toContain('owner');
    expect(fieldsOf(ann, 'articles.update').toSorted()).toEqual([
      ...['body', 'id', 'published_at', 'status', 'tags', 'title'],
    ]);
    const bob = await documentOf('bob');
    expect(fieldsOf(bob, 'articles')).not.toContain('body');
    expect(fieldsOf(bob, 'service_users')).toEqual(['id', 'first_name']);
  });

  it('do not show hidden collections, fields or relations', async () => {
    const nobody = await documentOf(null);
    expect(nobody.components.schemas).toEqual({});
    const text = await textOf('bob');
    for (const hidden of ['notes.create', '#/components/schemas/notes', '"metadata"', '"rating"']) {
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false]);
    }
    expect(fieldsOf(await documentOf('bob'), 'articles')).not.toContain('notes');
  });

  it('follow changed rules at once', async () => {
    const before = await documentOf('eve');
    expect(methodsOf(before, '/items/tags')).toEqual([]);
    const policy = await world.as('admin').post('/policies', { name: 'Tags' });
    const { id } = policy.data as { id: string };
    const rule = { policy: id, collection: 'tags', action: 'read', fields: ['name'] };
    expect((await world.as('admin').post('/permissions', rule)).status).toBe(200);
    const access = world.fill({ policy: id, user: '<eve>' });
    expect((await world.as('admin').post('/access', access)).status).toBe(200);
    expect(methodsOf(await documentOf('eve'), '/items/tags')).toEqual(['get']);
  });

  it('mark as nullable what a rule may hide, and what may be null', async () => {
    const article = (await documentOf('ann')).components.schemas['articles']?.properties ?? {};
    // Ann cannot see the body of others' articles.
    expect(article['body']).toMatchObject({ type: ['string', 'null'] });
    expect(article['title']).toMatchObject({ type: 'string' });
    expect(article['id']).toMatchObject({ type: expect.not.arrayContaining(['null']) });
  });

  it('are kept apart from other schemas, whatever their names', async () => {
    const imports = [CollectionsModule.forFeature([Tag, TagCreate])];
    const own = await seed(await startTestApp({ imports, synchronize: true }), {});
    try {
      const document = (await own.as('admin').get('/server/specs/oas')).body as OpenApi;
      expect(fieldsOf(document, 'tags.create')).toEqual(['id', 'label']);
      expect(fieldsOf(document, 'tags_create')).toEqual(['id', 'reason']);
    } finally {
      await own.app.close();
    }
  });

  it('refuse an invalid token', async () => {
    const reply = await world
      .as(null)
      .send('GET', '/server/specs/oas', undefined, { authorization: 'Bearer x' });
    expect(reply.status).toBe(401);
  });
});

describe('the OpenAPI document, when it is sent', () => {
  const sent = (name: string, encoding: string) =>
    world.as(name).send('GET', '/server/specs/oas', undefined, { 'accept-encoding': encoding });

  it('is compressed for clients that accept that, and the same for all others', async () => {
    const [packed, plain] = [await sent('ann', 'gzip'), await sent('ann', 'identity')];
    const headersOf = ({ headers }: typeof packed): (string | null)[] =>
      ['content-encoding', 'vary', 'content-type'].map((name) => headers.get(name));
    const type = 'application/json; charset=utf-8';
    expect(headersOf(packed)).toEqual(['gzip', 'Accept-Encoding', type]);
    expect(headersOf(plain)).toEqual([null, 'Accept-Encoding', type]);
    const length = Number(plain.headers.get('content-length'));
    expect(length).toBe(Buffer.byteLength(plain.text));
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(length / 4);
    expect(packed.text).toBe(plain.text);
  });

  it('is that of the caller, however many request it at once', async () => {
    const names = ['ann', 'bob', 'admin', 'ann', 'admin', 'bob'];
    const texts = await Promise.all(names.map(async (name) => (await sent(name, 'gzip')).text));
    const again = await Promise.all(names.map(async (name) => (await sent(name, 'gzip')).text));
    expect(again).toEqual(texts);
    expect(texts[0]).toBe(texts[3]);
    expect(new Set(texts).size).toBe(3);
  });
});

describe('a route of a team', () => {
  it('is in the document of callers who may call it', async () => {
    expect(methodsOf(await documentOf('ann'), '/articles/{id}/publish')).toEqual(['post']);
    expect(methodsOf(await documentOf('bob'), '/articles/{id}/publish')).toEqual([]);
  });
});

describe('the schemas of GraphQL', () => {
  it.each([
    ['/server/specs/graphql', 'articles_by_id'],
    ['/server/specs/graphql/items', 'articles_by_id'],
    ['/server/specs/graphql/system', 'permissions_by_id'],
  ])('%s is SDL', async (path, operation) => {
    const reply = await world.as(null).get(path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ]);
    const { buildSchema } = await import('graphql');
    expect(Object.keys(buildSchema(reply.text).getQueryType()?.getFields() ?? {})).toContain(
      operation,
    );
    const nobody = { authorization: 'Bearer nonsense' };
    const refused = await world.as(null).send('GET', path, undefined, nobody);
    expect([refused.status, refused.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
  });
});

describe('the page /docs', () => {
  it.each(['/docs', '/docs/', '/DOCS'])('finds its files from %s', async (path) => {
    const page = await world.as(null).get(path);
    expect(page.headers.get('content-security-policy')).toContain(
      "script-src 'self'; style-src 'self'",
    );
    const found = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(found).toHaveLength(4);
    for (const address of found) {
      const { pathname } = new URL(String(address), world.app.url + path);
      expect([pathname, (await world.as(null).get(pathname)).status]).toEqual([pathname, 200]);
    }
  });

  it.each(['index.html', 'licenses.md', '..%2Fconsole%2Findex.html', '__proto__'])(
    'serves no other file: %s',
    async (name) => {
      expect((await world.as(null).get(`/docs/${name}`)).status).toBe(404);
    },
  );
});
