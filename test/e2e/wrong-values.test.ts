import { type SeedData, read, seed, type World } from '../factories';
import { type Reply, startTestApp } from '../support';

/** All collections, all fields, many wrong values: one format of refusals, never an internal error, nothing changed. */
const SEED: SeedData = {
  policies: { some: [read('service_users', ['email'])] },
  roles: { crew: { policies: ['some'] } },
  users: { amy: { role: 'crew', policies: ['some'] } },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());

const ITEMS: Readonly<Record<string, string>> = {
  '/users': '<amy>',
  '/roles': '<crew>',
  '/policies': '<some>',
  '/permissions': '<some#1>',
};

const CODES: Readonly<Record<string, number>> = {
  INVALID_PAYLOAD: 400,
  FAILED_VALIDATION: 400,
  INVALID_QUERY: 400,
  INVALID_FOREIGN_KEY: 400,
  RECORD_NOT_UNIQUE: 400,
  VALUE_TOO_LONG: 400,
  VALUE_OUT_OF_RANGE: 400,
  NOT_NULL_VIOLATION: 400,
  FORBIDDEN: 403,
  ROUTE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
};

interface Failure {
  readonly message: string;
  readonly extensions: { readonly code: string };
}

/** What is wrong with a refusal; undefined if nothing is. */
function complaint({ status, body, text, headers }: Reply): string | undefined {
  const { errors, ...rest } = (body ?? {}) as { errors?: readonly Failure[] };
  if (!errors?.length || Object.keys(rest).length > 0) return 'has another format';
  if (!errors.every(({ message, extensions }) => message && CODES[extensions.code] !== undefined))
    return 'has no message or an unknown code';
  if (CODES[errors[0]?.extensions.code ?? ''] !== status) return 'has another status than its code';
  if (headers.get('cache-control') !== 'no-store') return 'may be cached';
  if (/node_modules|\.ts:|SELECT |INSERT |UPDATE |pg_|syntax error/.test(text))
    return 'shows internals';
  return undefined;
}

const HOSTILE: readonly unknown[] = [
  true,
  -1,
  1.5,
  2 ** 53,
  '\0',
  'x'.repeat(70_000),
  '2024-02-30T00:00:00Z',
  [null],
  ['x', 7],
  { _eq: 1 },
  { id: null },
  [{ id: 'x' }],
  '00000000-0000-4000-8000-000000000000',
];

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 60);

async function fieldsOf(path: string): Promise<string[]> {
  const relations: Record<string, string[]> = {
    '/users': ['policies'],
    '/roles': ['policies', 'users', 'children'],
    '/policies': ['permissions', 'users', 'roles'],
  };
  const { data } = await world.as('admin').get(`${path}/${world.id(nameOf(path))}`);
  return [...Object.keys(data), ...(relations[path] ?? [])];
}

const nameOf = (path: string): string => (ITEMS[path] ?? '').slice(1, -1);

/** Sends every hostile value for every field. @returns the complaints; accepted changes are undone */
async function attack(path: string, send: (body: object) => Promise<Reply>): Promise<string[]> {
  const complaints: string[] = [];
  const before = await world.state();
  for (const field of await fieldsOf(path)) {
    for (const value of HOSTILE) {
      const reply = await send({ [field]: value });
      const taken = reply.status === 200;
      const wrong = taken ? undefined : complaint(reply);
      if (wrong) complaints.push(`${field}: ${shown(value)} ${wrong}: ${reply.text.slice(0, 200)}`);
      if (taken) await world.restore();
    }
    expect(await world.state()).toEqual(before);
  }
  return complaints;
}

describe('a hostile value', () => {
  it.each(Object.keys(ITEMS))(
    'is accepted, or refused in the common format, by an update at %s',
    async (path) => {
      const item = `${path}/${world.id(nameOf(path))}`;
      expect(await attack(path, (body) => world.as('admin').patch(item, body))).toEqual([]);
    },
  );

  it('is accepted, or refused in the common format, by a new item', async () => {
    const create = (body: object) => world.as('admin').post('/permissions', body);
    expect(await attack('/permissions', create)).toEqual([]);
  });

  it('is accepted, or refused in the common format, as a body, by every method that has one', async () => {
    for (const path of [...Object.keys(ITEMS), '/access', '/settings']) {
      for (const method of ['POST', 'PATCH', 'DELETE', 'SEARCH']) {
        for (const body of HOSTILE) {
          const reply = await world.as('admin').send(method, path, body);
          if (reply.status < 300) await world.restore();
          else
            expect([method, path, shown(body), complaint(reply)]).toEqual([
              method,
              path,
              shown(body),
              undefined,
            ]);
        }
      }
    }
  });

  it('is refused as an id', async () => {
    const ids = [
      '0',
      '-1',
      '1e9',
      '9'.repeat(400),
      '2147483648',
      '%00',
      '%F0%9F%98%80',
      '%ff',
      '%',
      '..',
      '%2e%2e',
      '*',
      'null',
      'undefined',
      '[object%20Object]',
      '%7B%7D',
      "'",
      '"',
      ';',
      'x'.repeat(5000),
      ' ',
      '1%20',
      '+1',
      '0x1',
      '１',
    ];
    const before = await world.state();
    for (const path of [
      ...Object.keys(ITEMS),
      '/access',
      '/settings',
      '/permissions/me/service_users',
      '/items/nonsense',
    ]) {
      for (const id of ids) {
        for (const method of ['GET', 'PATCH', 'DELETE']) {
          const reply = await world
            .as('admin')
            .send(method, `${path}/${id}`, method === 'GET' ? undefined : {});
          const report = path.includes('/me/') && reply.status === 200;
          const list = ['..', '%2e%2e', ' '].includes(id);
          if (!report && !list)
            expect([method, path, id, complaint(reply)]).toEqual([method, path, id, undefined]);
          expect(reply.status).toBeLessThan(500);
        }
      }
    }
    expect(await world.state()).toEqual(before);
  });

  it('is accepted, or refused in the common format, as a query parameter', async () => {
    const names = [
      'fields',
      'filter',
      'search',
      'sort',
      'limit',
      'offset',
      'page',
      'meta',
      'alias',
      'deep',
      'aggregate',
      'groupBy',
    ];
    const forms = [
      '=%00',
      '=%ff',
      '=%',
      '[]=',
      '[]=%00',
      '[a]=b',
      '[a][b][c]=d',
      '[0]=1&X[1]=2',
      '=[',
      '={',
      '={"a":{}}',
      '=[[]]',
      '=null',
      '=1e400',
      '=-0',
      '=%F0%9F%98%80',
      '[__proto__]=1',
      '[constructor][prototype]=1',
      `=${'('.repeat(3000)}`,
      `=${'a.'.repeat(1000)}a`,
    ];
    for (const name of names) {
      for (const form of forms) {
        const reply = await world.as('admin').get(`/users?${name}${form.replaceAll('X', name)}`);
        if (reply.status !== 200)
          expect([name, form, complaint(reply)]).toEqual([name, form, undefined]);
      }
    }
  });
});
