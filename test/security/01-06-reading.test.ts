import { seed, type World } from '../factories';
import { startTestApp } from '../support';
import { expectAlike, expectUnknown, HIDDEN, json, SPY } from './compare';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SPY);
});

afterAll(() => world.app.close());

const spy = (path: string) => world.as('spy').get(path);
const listed = async (query: string, caller = 'spy'): Promise<Record<string, unknown>[]> => {
  const reply = await world.as(caller).get(`/users?${query}`);
  expect(reply.status).toBe(200);
  return reply.data as unknown as Record<string, unknown>[];
};

describe('1: an alias', () => {
  it.each(HIDDEN)(
    'of the hidden field %s is refused like one of an unknown field',
    async (name) => {
      await expectUnknown((field) => spy(`/users?fields=shown&alias[shown]=${field}`), name);
      await expectUnknown((field) => spy(`/users?fields=email&alias[email]=${field}`), name);
    },
  );

  it('shows a concealed field as stars to administrators too', async () => {
    const rows = await listed(
      'fields=shown,other&alias[shown]=password&alias[other]=tfa_secret',
      'admin',
    );
    // Those of the cast, and the administrator.
    const length = Object.keys(SPY.users ?? {}).length + 1;
    expect(rows).toEqual(Array.from({ length }, () => ({ shown: '**********', other: null })));
  });

  it('is masked like the field that it stands for, not by its own name', async () => {
    const aliased = await listed('fields=email,status&alias[status]=first_name&sort=email');
    const plain = await listed('fields=email,first_name&sort=email');
    expect(aliased).toEqual(plain.map(({ email, first_name }) => ({ email, status: first_name })));
    expect(aliased.filter(({ status }) => status !== null)).toEqual([
      { email: 'spy@example.com', status: 'Mata' },
    ]);
  });
});

describe('2: an aggregate', () => {
  it.each(HIDDEN)(
    'of the hidden field %s is refused like one of an unknown field',
    async (name) => {
      for (const aggregate of ['min', 'max', 'count', 'countDistinct', 'sum', 'avg']) {
        await expectUnknown((field) => spy(`/users?aggregate[${aggregate}]=${field}`), name);
      }
      await expectUnknown((field) => spy(`/users?aggregate[count]=*&groupBy=${field}`), name);
    },
  );

  it('of concealed fields is refused to administrators too', async () => {
    for (const query of ['aggregate[min]=password', 'aggregate[count]=*&groupBy=password']) {
      expect((await world.as('admin').get(`/users?${query}`)).codes).toEqual(['FORBIDDEN']);
    }
  });
});

/** Every place in a filter where a name can be. */
const FILTERS: readonly (readonly [string, (name: string) => object])[] = [
  ['alone', (name) => ({ [name]: { _nnull: true } })],
  ['with a nonsensical operator', (name) => ({ [name]: { _nonsense: 1 } })],
  ['in _and', (name) => ({ _and: [{ status: { _eq: 'active' } }, { [name]: { _null: true } }] })],
  ['in _or', (name) => ({ _or: [{ status: { _eq: 'active' } }, { [name]: { _null: true } }] })],
  ['deep in _or', (name) => ({ _or: [{ _and: [{ _or: [{ [name]: { _eq: 'x' } }] }] }] })],
  ['in a function', (name) => ({ [`year(${name})`]: { _eq: 2024 } })],
  ['in count', (name) => ({ [`count(${name})`]: { _gt: 0 } })],
  ['as a relation', (name) => ({ [name]: { id: { _nnull: true } } })],
  ['under _some', (name) => ({ [name]: { _some: { id: { _nnull: true } } } })],
  ['under _none', (name) => ({ [name]: { _none: { id: { _nnull: true } } } })],
];

describe('3: a filter', () => {
  describe.each(HIDDEN)('on the hidden field %s', (name) => {
    it.each(FILTERS)('%s is refused like one on an unknown field', async (_, filter) => {
      await expectUnknown((field) => spy(`/users?filter=${json(filter(field))}`), name);
      await expectUnknown(
        (field) => world.as('spy').send('SEARCH', '/users', { query: { filter: filter(field) } }),
        name,
      );
    });
  });

  it.each(['password', 'tfa_secret'])(
    'on the concealed field %s is refused to administrators',
    async (name) => {
      for (const [, filter] of FILTERS) {
        await expectUnknown(
          (field) => world.as('admin').get(`/users?filter=${json(filter(field))}`),
          name,
        );
      }
    },
  );

  it('cannot select the rows of a write by hidden fields', async () => {
    const before = await world.state();
    const where = (field: string) => ({
      query: { filter: { [field]: { _nnull: true } } },
      data: { first_name: 'X' },
    });
    await expectUnknown((field) => world.as('spy').patch('/users', where(field)), 'last_name');
    expect(await world.state()).toEqual(before);
  });

  it('finds NULL where a cell is masked, whatever it holds', async () => {
    const emails = async (filter: object): Promise<unknown[]> =>
      (await listed(`fields=email&sort=email&filter=${json(filter)}`)).map(({ email }) => email);
    const others = ['admin@example.com', 'amy@example.com', 'zoe@example.com'];
    expect(await emails({ first_name: { _eq: 'Amy' } })).toEqual([]);
    expect(await emails({ first_name: { _null: true } })).toEqual(others);
    expect(await emails({ first_name: { _neq: 'Amy' } })).toEqual(
      [...others, 'spy@example.com'].toSorted(),
    );
    expect(await emails({ first_name: { _nnull: true } })).toEqual(['spy@example.com']);
  });
});

describe('4: a count', () => {
  it.each(['filter_count', 'total_count', '*'])(
    '%s with a condition on a hidden field is refused',
    async (meta) => {
      for (const name of HIDDEN) {
        for (const more of ['', '&limit=0', '&fields=id']) {
          await expectUnknown(
            (field) => spy(`/users?meta=${meta}${more}&filter[${field}][_nnull]=true`),
            name,
          );
        }
      }
    },
  );

  it('does not distinguish a right guess at a masked cell from a wrong one', async () => {
    for (const operator of [
      '_eq',
      '_neq',
      '_contains',
      '_ncontains',
      '_starts_with',
      '_gt',
      '_in',
    ]) {
      await expectAlike(
        world,
        'spy',
        `/users?limit=0&meta=*&filter[first_name][${operator}]=Amy`,
        `/users?limit=0&meta=*&filter[first_name][${operator}]=Bea`,
      );
    }
  });

  it('counts only the rows that the caller sees', async () => {
    const { body } = await spy('/users?limit=0&meta=*');
    expect(body).toEqual({ data: [], meta: { total_count: 4, filter_count: 4 } });
    expect((await spy('/roles?meta=*')).status).toBe(403);
  });
});

describe('5: a search', () => {
  it.each(['Birch', 'Alder', 'Xanthe', 'Captain', 'Port', 'default', '$2b', '**********'])(
    'finds nothing by %s, which the spy does not see',
    async (term) => {
      const [found, other] = [term, 'nothing-has-this'].map(
        (each) => `/users?meta=*&search=${encodeURIComponent(each)}`,
      );
      await expectAlike(world, 'spy', found ?? '', other ?? '');
    },
  );

  it('finds nothing by the key of a hidden relation', async () => {
    expect(await listed(`search=${world.id('crew')}`)).toEqual([]);
    expect(await listed(`search=${world.id('crew')}`, 'admin')).toEqual([]);
  });

  it('finds visible values, also in the caller’s own row', async () => {
    expect(await listed('fields=email&search=mata')).toEqual([{ email: 'spy@example.com' }]);
    expect(await listed('fields=email&search=ZOE@')).toEqual([{ email: 'zoe@example.com' }]);
  });

  it('never looks at passwords', async () => {
    const [hash] = await world.app.database.query<{ password: string }>(
      `SELECT password FROM service_users WHERE email = 'amy@example.com'`,
    );
    const term = encodeURIComponent(hash?.password ?? '');
    expect(term.length).toBeGreaterThan(50);
    expect(await listed(`search=${term}`, 'admin')).toEqual([]);
  });
});

describe('6: a sort', () => {
  it.each(HIDDEN)(
    'by the hidden field %s is refused like one by an unknown field',
    async (name) => {
      for (const before of ['', '-', 'email,', 'email,-']) {
        await expectUnknown((field) => spy(`/users?sort=${before}${field}`), name);
      }
      for (const form of ['year(X)', 'count(X)', 'X.name', 'X.id']) {
        await expectUnknown((field) => spy(`/users?sort=${form.replace('X', field)}`), name);
      }
    },
  );

  it('by a concealed field is refused to administrators', async () => {
    for (const sort of ['password', '-tfa_secret', 'role.users.password']) {
      expect((await world.as('admin').get(`/users?sort=${sort}`)).status).toBeGreaterThanOrEqual(
        400,
      );
    }
    await expectUnknown((field) => world.as('admin').get(`/users?sort=${field}`), 'password');
  });

  it.each(['first_name', '-first_name'])(
    'by %s, masked in part, orders by the visible values',
    async (sort) => {
      const path = `/users?fields=email&sort=${sort}`;
      const before = (await spy(path)).text;
      for (const name of ['Aaron', 'Zz', null]) {
        await world.as('admin').patch(world.fill('/users/<amy>'), { first_name: name });
        expect((await spy(path)).text).toBe(before);
      }
      await world.restore();
    },
  );
});
