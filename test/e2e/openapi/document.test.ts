import { validate } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { HOST, routesOf } from '../../support';
import { type Newsroom, openNewsroom } from '../extension/newsroom';

let world: Newsroom;

beforeAll(async () => {
  world = await openNewsroom();
});

afterAll(() => world.app.close());

interface Operation {
  readonly tags?: readonly string[];
}

interface OpenApi {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

async function documentOf(name: string | null): Promise<OpenApi> {
  const reply = await world.as(name).get('/server/specs/oas');
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  return JSON.parse(reply.text) as OpenApi;
}

it('documents for several callers are built one after another, since each takes a multiple of its size until it is compressed', async () => {
  const { stringify } = JSON;
  const written: unknown[] = [];
  const heard = jest.spyOn(JSON, 'stringify').mockImplementation((value: unknown, ...rest) => {
    if (value === 'openapi' || value === 'components') written.push(value);
    return stringify(value, ...(rest as []));
  });
  await Promise.all(['admin', 'ann', 'bob'].map(documentOf));
  heard.mockRestore();
  expect(written).toEqual(['admin', 'ann', 'bob'].flatMap(() => ['openapi', 'components']));
});

it('is built again for the next request after a failure', async () => {
  const { stringify } = JSON;
  const broken = jest.spyOn(JSON, 'stringify').mockImplementation((value: unknown, ...rest) => {
    if (value === '3.1.1') throw new RangeError('too long');
    return stringify(value, ...(rest as []));
  });
  expect((await world.as(null).get('/server/specs/oas')).status).toBe(500);
  broken.mockRestore();
  await documentOf(null);
});

const CALLERS = ['admin', 'bob', 'eve', null];

describe('the OpenAPI document', () => {
  it.each(CALLERS)('is valid by two validators, as %s sees it', async (name) => {
    const document = await documentOf(name);
    const first = await new Validator().validate({ ...structuredClone(document) });
    expect(first.errors).toBeUndefined();
    expect(first.valid).toBe(true);
    const second = await validate(
      structuredClone(document) as object as Parameters<typeof validate>[0],
    );
    expect(second).toMatchObject({ valid: true, warnings: [] });
  });

  /** Routes that are not part of the API, or that OpenAPI cannot describe. */
  const UNDESCRIBED = [
    /^SEARCH /,
    /^GET \/admin/,
    /^GET \/$/,
    /^GET \/docs(\/:file)?$/,
    /^GET \/playground\/:file$/,
    /^\w+ \/items\/:collection/,
  ];

  it.each(CALLERS)('groups what %s may do, sign-in first and metrics last', async (name) => {
    const { paths, tags } = await documentOf(name);
    const used = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => operation.tags ?? []),
    );
    const names = tags.map((tag) => tag.name);
    expect([...names].sort()).toEqual([...new Set(used)].sort());
    expect(names.slice(0, 3)).toEqual(['auth', 'register', 'users']);
    // A host application has its own metrics.
    expect(names.at(-1)).toBe(HOST === 'own' ? 'metrics' : 'server');
  });

  it('describes every route of the application', async () => {
    const { paths } = await documentOf('admin');
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = routesOf(world.app).filter(
      (route) => !UNDESCRIBED.some((each) => each.test(route)),
    );
    expect(routes.length).toBeGreaterThan(90);
    const missing = routes.filter(
      (route) => !described.includes(route.replaceAll(/:(\w+)/g, '{$1}')),
    );
    expect(missing).toEqual([]);
  });
});
