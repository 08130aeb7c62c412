import { Collection, CollectionsModule, Field } from 'doorward';
import { create, OWN_USER, read, seed, type World } from '../factories';
import { startTestApp } from '../support';

/** Numbers of the caller, of every type. */
class Limits {
  @Field.integer({ nullable: true }) whole!: number | null;
  @Field.bigint({ nullable: true }) large!: string | null;
  @Field.decimal({ nullable: true, precision: 12, scale: 2 }) exact!: string | null;
  @Field.double({ nullable: true }) rough!: number | null;
}

/** A number of each type, always the same one. */
@Collection('figures')
class Figure {
  @Field.key('integer') id!: number;
  @Field.integer({ nullable: true }) whole!: number | null;
  @Field.bigint({ nullable: true }) large!: string | null;
  @Field.decimal({ nullable: true, precision: 6, scale: 2 }) exact!: string | null;
  @Field.double({ nullable: true }) rough!: number | null;
  @Field.date({ nullable: true }) day!: string | null;
  @Field.toOne('figures', { nullable: true }) beside!: number | null;
}

const COLUMNS = ['whole', 'large', 'exact', 'rough'] as const;
const STORED = [1, 10, 99, 100, 500];
const OPERATORS = ['_eq', '_neq', '_lt', '_lte', '_gt', '_gte'] as const;

/** Callers with one limit each: what each operator finds among the stored numbers. */
const CALLERS: Readonly<Record<string, readonly [limits: object, number: number]>> = {
  amy: [{ exact: '500.00', rough: 500, large: '500', whole: 500 }, 500],
  bea: [{ exact: '99.50', rough: 99.5 }, 99.5],
  cleo: [{ exact: '-99.50', rough: -99.5 }, -99.5],
  dora: [{ exact: '9999999999.00', rough: 9999999999, large: '9999999999' }, 9999999999],
  eve: [{ exact: '-9999999999.00', rough: -9999999999, large: '-9999999999' }, -9999999999],
};

const HOLDS: Readonly<Record<(typeof OPERATORS)[number], (cell: number, to: number) => boolean>> = {
  _eq: (cell, to) => cell === to,
  _neq: (cell, to) => cell !== to,
  _lt: (cell, to) => cell < to,
  _lte: (cell, to) => cell <= to,
  _gt: (cell, to) => cell > to,
  _gte: (cell, to) => cell >= to,
};

let world: World;

beforeAll(async () => {
  const imports = [
    CollectionsModule.forFeature([Figure]),
    CollectionsModule.extend('service_users', Limits),
  ];
  const seeing = [read('figures', ['*']), read('service_users', ['*'], OWN_USER)];
  const users = Object.fromEntries(
    Object.entries(CALLERS).map(([name, [limits]]) => [name, { ...limits, policies: ['seeing'] }]),
  );
  world = await seed(await startTestApp({ imports, synchronize: true }), {
    policies: {
      seeing,
      ruled: [
        read('figures', ['*'], { whole: { _lte: '$CURRENT_USER.exact' } }),
        create('figures', ['whole', 'day'], { whole: { _lte: '$CURRENT_USER.exact' } }),
      ],
      judged: [
        read('figures', ['*']),
        create(
          'figures',
          ['whole'],
          {},
          { validation: { whole: { _eq: '$CURRENT_USER.exact', _lt: '$CURRENT_USER.rough' } } },
        ),
      ],
      preset: [
        read('figures', ['*']),
        create(
          'figures',
          ['day'],
          {},
          {
            presets: {
              whole: '$CURRENT_USER.exact',
              large: '$CURRENT_USER.rough',
              exact: '$CURRENT_USER.rough',
              rough: '$CURRENT_USER.large',
            },
          },
        ),
      ],
    },
    users: {
      ...users,
      rob: { exact: '99.50', policies: ['ruled'] },
      pam: { exact: '500.00', rough: 7, large: '8', policies: ['preset'] },
      pia: { exact: '99.50', rough: 0.5, large: '8', policies: ['preset'] },
      jim: { exact: '99.50', rough: -9999999999, policies: ['judged'] },
      ned: { policies: ['seeing'] },
      nan: { policies: ['seeing'] },
    },
  });
  const figures = STORED.map((number, index) => ({
    ...{ id: index + 1, whole: number, large: number, exact: number, rough: number },
    ...{ day: `${1900 + number}-01-01`, beside: index === 0 ? null : index },
  }));
  const { status, text } = await world.as('admin').post('/items/figures', figures);
  if (status !== 200) throw new Error(text);
  await world.app.database.query(
    `UPDATE service_users SET rough = 'NaN', exact = 'NaN' WHERE email = 'nan@example.com'`,
  );
});

afterAll(() => world.app.close());

/** The stored numbers that a caller finds. */
async function found(caller: string, filter: object): Promise<unknown> {
  const query = new URLSearchParams({ fields: 'whole', filter: JSON.stringify(filter) });
  const { data, text } = await world.as(caller).get(`/items/figures?${query.toString()}`);
  if (!Array.isArray(data)) throw new Error(text);
  return data.map(({ whole }: { whole: number }) => whole);
}

const CASES = Object.entries(CALLERS).flatMap(([caller, [limits, number]]) =>
  Object.keys(limits).flatMap((limit) =>
    COLUMNS.map((column) => [column, limit, number, caller] as const),
  ),
);

describe('a number of the caller', () => {
  it.each(CASES)('is compared with the column %s, if it is the %s %d', async (...of) => {
    const [column, limit, number, caller] = of;
    for (const operator of OPERATORS) {
      const filter = { [column]: { [operator]: `$CURRENT_USER.${limit}` } };
      const expected = STORED.filter((cell) => HOLDS[operator](cell, number));
      expect([operator, await found(caller, filter)]).toEqual([operator, expected]);
    }
  });

  it.each<[string, object, readonly number[]]>([
    ['amy', { whole: { _in: [1, '$CURRENT_USER.exact'] } }, [1, 500]],
    ['bea', { whole: { _in: [1, '$CURRENT_USER.exact'] } }, [1]],
    ['bea', { large: { _nin: [1, '$CURRENT_USER.rough'] } }, [10, 99, 100, 500]],
    ['bea', { whole: { _nin: ['$CURRENT_USER.rough'] } }, STORED],
    ['bea', { whole: { _between: [10, '$CURRENT_USER.exact'] } }, [10, 99]],
    ['bea', { whole: { _between: ['$CURRENT_USER.rough', '100'] } }, [100]],
    ['bea', { whole: { _nbetween: ['$CURRENT_USER.rough', '$CURRENT_USER.exact'] } }, STORED],
    ['dora', { exact: { _nbetween: [10, '$CURRENT_USER.large'] } }, [1]],
    ['eve', { whole: { _between: ['$CURRENT_USER.exact', 10] } }, [1, 10]],
    ['eve', { whole: { _nbetween: ['$CURRENT_USER.exact', '$CURRENT_USER.large'] } }, STORED],
    ['amy', { 'year(day)': { _gt: '$CURRENT_USER.exact' } }, STORED],
    ['bea', { beside: { whole: { _lt: '$CURRENT_USER.exact' } } }, [10, 99, 100]],
    ['bea', { beside: { _lt: '$CURRENT_USER.exact' } }, [10, 99, 100, 500]],
    ['nan', { whole: { _lt: '$CURRENT_USER.exact' } }, STORED],
    ['nan', { rough: { _lt: '$CURRENT_USER.exact' } }, STORED],
    ['nan', { large: { _gte: '$CURRENT_USER.exact' } }, []],
    // A double that is no number is read as null, as in answers.
    ['nan', { whole: { _neq: '$CURRENT_USER.rough' } }, []],
    ['ned', { whole: { _neq: '$CURRENT_USER.exact' } }, []],
  ])('of %s is found by %j', async (caller, filter, expected) => {
    expect(await found(caller, filter)).toEqual(expected);
  });

  it('is compared in rules, of stored rows and of written ones', async () => {
    const { data } = await world.as('rob').get('/items/figures?fields=whole');
    expect(data).toEqual([{ whole: 1 }, { whole: 10 }, { whole: 99 }]);
    const items = world.as('rob');
    expect((await items.post('/items/figures', { whole: 100 })).codes).toEqual(['FORBIDDEN']);
    const made = await items.post('/items/figures?fields=whole', { whole: 99 });
    expect([made.status, made.data]).toEqual([200, { whole: 99 }]);
    await world.app.database.query('DELETE FROM figures WHERE id > 5');
  });

  it('is preset where the field can hold it', async () => {
    const made = async (caller: string): Promise<unknown> =>
      (
        await world
          .as(caller)
          .post(`/items/figures?fields=${COLUMNS.join(',')}`, { day: '2000-01-01' })
      ).data;
    expect(await made('pam')).toEqual({ whole: 500, large: 7, exact: '7.00', rough: 8 });
    expect(await made('pia')).toEqual({ whole: null, large: null, exact: '0.50', rough: 8 });
    await world.app.database.query('DELETE FROM figures WHERE id > 5');
  });
});

it('a refused value names the operators of the rule, whatever they are compared as', async () => {
  const { status, text } = await world.as('jim').post('/items/figures', { whole: 7 });
  expect(status).toBe(400);
  const { errors } = JSON.parse(text) as { errors: { extensions: object }[] };
  expect(errors.map(({ extensions }) => extensions)).toEqual(
    ['eq', 'lt'].map((type) => ({ code: 'FAILED_VALIDATION', field: 'whole', type })),
  );
});
