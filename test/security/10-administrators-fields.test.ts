import { create, read, type RuleSeed, seed, type SeedData, update, type World } from '../factories';
import { startTestApp } from '../support';
import { seenOf } from './compare';

const RULES = 'service_permissions';
const byName = ['collection', 'action', 'asleep', 'policy'];
const giving: RuleSeed[] = [create(RULES, ['*']), update(RULES, ['*'])];

const SEED: SeedData = {
  policies: {
    everything: [read(RULES, ['*']), ...giving, read('service_policies', ['*'])],
    'by name': [read(RULES, byName), create(RULES, byName), update(RULES, byName)],
    'one alone': [read(RULES, ['asleep'])],
    target: [],
  },
  users: {
    whole: { policies: ['everything'] },
    some: { policies: ['by name'] },
    one: { policies: ['one alone'] },
  },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());

const NAMED = ['asleep', 'asleep_not_there'] as const;

const filtered = (filter: object): string =>
  `/permissions?filter=${encodeURIComponent(JSON.stringify(filter))}`;

/** Every place of a query in which a field is named. */
const NAMINGS: readonly [string, (name: string) => string][] = [
  ['shown', (name) => `/permissions?fields=id,${name}`],
  ['shown in one item', (name) => `/permissions/1?fields=${name}`],
  ['filtered by', (name) => filtered({ [name]: { _eq: true } })],
  ['sorted by', (name) => `/permissions?sort=${name}`],
  ['counted', (name) => `/permissions?aggregate[count]=${name}`],
  ['grouped by', (name) => `/permissions?aggregate[count]=*&groupBy=${name}`],
  ['given an alias', (name) => `/permissions?fields=x&alias[x]=${name}`],
  ['described', (name) => `/fields/${RULES}/${name}`],
];

describe('10: a field for administrators, whatever rules list it,', () => {
  it.each(NAMINGS)('cannot be %s by anybody else, like one that does not exist', async (_, ask) => {
    for (const user of ['whole', 'some', 'one']) {
      const [hidden, missing] = await Promise.all(
        NAMED.map(async (name) => {
          const reply = await world.as(user).get(ask(name));
          return { codes: reply.codes, seen: seenOf(reply, name) };
        }),
      );
      expect([user, hidden?.codes]).toEqual([user, ['FORBIDDEN']]);
      expect([user, hidden]).toEqual([user, missing]);
    }
  });

  it('cannot be named along a relation', async () => {
    const filter = encodeURIComponent('{"permissions":{"asleep":{"_eq":false}}}');
    for (const path of ['/policies?fields=permissions.asleep', `/policies?filter=${filter}`]) {
      expect([path, (await world.as('whole').get(path)).codes]).toEqual([path, ['FORBIDDEN']]);
    }
  });

  it('is absent from what is shown without naming it', async () => {
    for (const user of ['whole', 'some']) {
      for (const path of ['/permissions', `/fields/${RULES}`, '/permissions/me']) {
        const reply = await world.as(user).get(path);
        expect([path, reply.status]).toEqual([path, 200]);
        expect([user, path, reply.text]).not.toEqual([
          user,
          path,
          expect.stringMatching(/"asleep":|"field":"asleep"/),
        ]);
      }
    }
    const related = await world.as('whole').get('/policies?fields=permissions.*');
    expect(related.text).toContain('"validation"');
    expect(related.text).not.toContain('"asleep":');
  });

  it('is absent from their OpenAPI document', async () => {
    for (const user of ['whole', 'some']) {
      const { text } = await world.as(user).get('/server/specs/oas');
      expect(text).toContain('/permissions/{id}');
      expect(text).not.toContain('asleep');
    }
    expect((await world.as('admin').get('/server/specs/oas')).text).toContain('asleep');
  });

  it.each([
    ['a list', '{ permissions { asleep } }'],
    ['an item', '{ permissions_by_id(id: 1) { asleep } }'],
    ['a filter', '{ permissions(filter: { asleep: { _eq: true } }) { id } }'],
    ['an aggregate', '{ permissions_aggregated { countDistinct { asleep } } }'],
    ['a relation', '{ policies { permissions { asleep } } }'],
  ])('is FORBIDDEN over GraphQL in %s', async (_, query) => {
    const reply = await world.as('whole').post('/graphql/system', { query });
    expect(reply.codes).toEqual(['FORBIDDEN']);
    expect((await world.as('admin').post('/graphql/system', { query })).codes).toEqual([]);
  });

  it('cannot be guessed by writing it', async () => {
    const before = await world.state();
    for (const user of ['whole', 'some']) {
      for (const asleep of [true, false, 7]) {
        const patched = await world.as(user).patch('/permissions/1', { asleep });
        const many = await world.as(user).patch('/permissions', { keys: [1], data: { asleep } });
        const rule = { policy: world.id('target'), collection: RULES, action: 'read', asleep };
        const made = await world.as(user).post('/permissions', rule);
        expect([user, asleep, patched.codes, many.codes, made.codes]).toEqual([
          ...[user, asleep],
          ...[['FORBIDDEN'], ['FORBIDDEN'], ['FORBIDDEN']],
        ]);
      }
    }
    expect(await world.state()).toEqual(before);
  });

  it('cannot be read through the condition of a rule that they write', async () => {
    const rule = { policy: world.id('target'), collection: RULES, action: 'read' };
    const permissions = { asleep: { _eq: false } };
    const reply = await world.as('whole').post('/permissions', { ...rule, permissions });
    expect(reply.codes).toEqual(['FORBIDDEN']);
  });

  it('does not keep who holds all other fields from giving these', async () => {
    const rule = { policy: world.id('target'), collection: RULES, action: 'read', fields: ['*'] };
    const reply = await world.as('whole').post('/permissions', rule);
    expect([reply.status, (reply.data as { fields?: unknown }).fields]).toEqual([200, ['*']]);
  });

  it('alone grants nothing', async () => {
    expect((await world.as('one').get('/permissions')).codes).toEqual(['FORBIDDEN']);
    expect((await world.as('one').get('/permissions/me')).data).toEqual({});
  });

  it('is shown to administrators', async () => {
    const { data } = await world.as('admin').get('/permissions?limit=1&filter[asleep][_eq]=false');
    expect(data).toEqual([expect.objectContaining({ asleep: false })]);
    expect((await world.as('admin').get(`/fields/${RULES}/asleep`)).status).toBe(200);
  });
});
