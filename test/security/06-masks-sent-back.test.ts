import { Collection, CollectionsModule, Field } from 'doorward';
import {
  type SeedData,
  create,
  emailOf,
  OWN_USER,
  PASSWORD,
  read,
  seed,
  update,
  type World,
} from '../factories';
import { as, startTestApp } from '../support';

const MASK = '**********';

@Collection('safes')
class Safe {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.text({ nullable: true, concealed: true }) code!: string | null;
  @Field.integer({ nullable: true, concealed: true }) pin!: number | null;
  @Field.json({ nullable: true, concealed: true }) plan!: object | null;
  @Field.toOne('safes', { nullable: true }) outer!: number | null;
}

/** Ann edits her own user and safes; Bob may not name concealed fields. */
const SEED: SeedData = {
  policies: {
    editing: [
      read('service_users', ['*'], OWN_USER),
      update('service_users', ['*'], OWN_USER),
      read('safes', ['*']),
      create('safes', ['*'], {}, { validation: { code: { _null: true } } }),
      update('safes', ['*'], {}, { validation: { code: { _null: true } } }),
    ],
    naming: [
      read('service_users', ['first_name'], OWN_USER),
      update('service_users', ['first_name'], OWN_USER),
    ],
  },
  users: { ann: { policies: ['editing'] }, bob: { policies: ['naming'] } },
};

let world: World;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Safe])];
  world = await seed(await startTestApp({ imports, synchronize: true }), SEED);
});

afterAll(() => world.app.close());

const signsIn = async (name: string, password: string): Promise<number> =>
  (await as(world.app).post('/auth/login', { email: emailOf(name), password })).status;

const stored = async (id: unknown): Promise<object | undefined> =>
  (
    await world.app.database.query('SELECT name, code, pin, plan FROM safes WHERE id = $1', [id])
  )[0];

/** A safe with a value in every concealed field. */
async function makeSafe(): Promise<{ id: number }> {
  const rows = await world.app.database.query<{ id: number }>(
    `INSERT INTO safes (name, code, pin, plan) VALUES ('Old', 'open sesame', 1234, '{"a": 1}') RETURNING id`,
  );
  return rows[0] ?? { id: 0 };
}

const KEPT = { code: 'open sesame', pin: 1234, plan: { a: 1 } };

describe('6: a record that is sent back as it was read', () => {
  it('leaves the password and the session as they were', async () => {
    const ann = world.as('ann');
    const path = `/users/${world.id('ann')}`;
    const { data } = await ann.get(`${path}?fields=id,email,first_name,password,tfa_secret,tags`);
    expect(data['password']).toBe(MASK);
    expect((await ann.patch(path, { ...data, first_name: 'Ann' })).status).toBe(200);
    expect(await signsIn('ann', MASK)).toBe(401);
    expect(await signsIn('ann', PASSWORD)).toBe(200);
    expect((await ann.get(path)).data['first_name']).toBe('Ann');
  });

  it('leaves it by GraphQL, in a list and for an administrator', async () => {
    const id = world.id('ann');
    const mutation = `mutation { update_users_item(id: "${id}", data: { password: "${MASK}" }) { id } }`;
    const replies = [
      await world.as('admin').post('/graphql/system', { query: mutation }),
      await world.as('admin').patch('/users', [{ id, password: MASK }]),
      await world.as('admin').patch('/users', { keys: [id], data: { password: MASK } }),
    ];
    expect(replies.map(({ codes }) => codes)).toEqual([[], [], []]);
    expect(await signsIn('ann', MASK)).toBe(401);
    expect(await signsIn('ann', PASSWORD)).toBe(200);
  });

  it('leaves concealed fields of every type, also of a team’s own', async () => {
    const { id } = await makeSafe();
    const { data } = await world.as('ann').get(`/items/safes/${id}`);
    expect(data).toMatchObject({ code: MASK, pin: MASK, plan: MASK });
    const reply = await world.as('ann').patch(`/items/safes/${id}`, { ...data, name: 'New' });
    expect(reply.status).toBe(200);
    expect(await stored(id)).toEqual({ name: 'New', ...KEPT });
  });

  it('leaves them by GraphQL', async () => {
    const { id } = await makeSafe();
    const send = (query: string) => world.as('ann').post('/graphql', { query });
    const { data } = await send(`{ safes_by_id(id: ${id}) { code pin plan } }`);
    expect(data['safes_by_id']).toEqual({ code: MASK, pin: MASK, plan: MASK });
    const masks = `code: "${MASK}", pin: "${MASK}", plan: "${MASK}"`;
    const reply = await send(
      `mutation { update_safes_item(id: ${id}, data: { name: "New", ${masks} }) { name } }`,
    );
    expect(reply.codes).toEqual([]);
    expect(await stored(id)).toEqual({ name: 'New', ...KEPT });
    await send(`mutation { update_safes_item(id: ${id}, data: { pin: 4321 }) { name } }`);
    expect(await stored(id)).toEqual({ name: 'New', ...KEPT, pin: 4321 });
  });

  it('leaves them in a nested object', async () => {
    const { id } = await makeSafe();
    const outer = { id, name: 'Outer', code: MASK, pin: MASK };
    const reply = await world.as('ann').post('/items/safes', { name: 'Inner', outer });
    expect(reply.status).toBe(200);
    expect(await stored(id)).toEqual({ name: 'Outer', ...KEPT });
  });
});

describe('6: a mask in a create', () => {
  it('is not a value: the field is absent, to rules too', async () => {
    const reply = await world.as('ann').post('/items/safes', { name: 'X', code: MASK, pin: MASK });
    expect(reply.status).toBe(200);
    expect(await stored(reply.data['id'])).toEqual({
      name: 'X',
      code: null,
      pin: null,
      plan: null,
    });
  });

  it('sets no password', async () => {
    const user = { email: emailOf('masked'), password: MASK };
    expect((await world.as('admin').post('/users', user)).status).toBe(200);
    expect(await signsIn('masked', MASK)).toBe(401);
  });
});

test('6: a mask does not distinguish a concealed field from a missing one', async () => {
  const path = `/users/${world.id('bob')}`;
  const ask = (name: string) => world.as('bob').patch(path, { first_name: 'B', [name]: MASK });
  const [hidden, missing] = [await ask('password'), await ask('passwort')];
  expect([hidden.status, hidden.codes]).toEqual([403, ['FORBIDDEN']]);
  expect(hidden.text.replaceAll('password', '?')).toBe(missing.text.replaceAll('passwort', '?'));
});

test('a text that merely looks like a mask is a value, in other fields and as part of a text', async () => {
  const reply = await world.as('ann').post('/items/safes', { name: MASK });
  expect(reply.data['name']).toBe(MASK);
  const longer = await world.as('admin').post('/items/safes', { name: 'X', code: `${MASK}*` });
  expect(await stored(longer.data['id'])).toMatchObject({ code: `${MASK}*` });
});
