import { Collection, CollectionsModule, Field } from 'doorward';
import { seed, type World } from '../factories';
import { FakeProvider, ProviderVisit, providerEnv, PUBLIC_URL, startTestApp } from '../support';

@Collection('contracts')
class Contract {
  @Field.key('integer') id!: number;
  @Field.toOne('service_users', { nullable: true }) holder!: string | null;
}
@Collection('diaries')
class Diary {
  @Field.key('integer') id!: number;
  @Field.toOne('service_users', { nullable: true, onDelete: 'CASCADE' }) keeper!: string | null;
}

let provider: FakeProvider;
let world: World;

beforeAll(async () => {
  provider = await FakeProvider.start();
  const open = { ALLOW_PUBLIC_REGISTRATION: 'true' };
  const roleless = { ...open, DEFAULT_ROLE_ID: '11111111-1111-4111-8111-111111111111' };
  const env = {
    ...{ PUBLIC_URL, AUTH_PROVIDERS: 'acme,gone' },
    ...{ ...providerEnv(provider, open), ...providerEnv(provider, roleless, 'gone') },
  };
  const imports = [CollectionsModule.forFeature([Contract, Diary])];
  world = await seed(await startTestApp({ env, imports, synchronize: true }));
});

afterAll(async () => {
  await world.app.close();
  await provider.close();
});

const stored = (): Promise<object[]> =>
  world.app.database.query(
    `SELECT u.id, c.id AS contract, d.id AS diary FROM service_users u
     LEFT JOIN contracts c ON c.holder = u.id LEFT JOIN diaries d ON d.keeper = u.id ORDER BY 1, 2, 3`,
  );

it.each([
  ['acme', '/items/contracts', 'holder'],
  ['acme', '/items/diaries', 'keeper'],
  ['gone', undefined, ''],
])(
  'a sign-in at %s keeps an unconfirmed user if rows refer to them (%s), or if no new user can be created',
  async (name, path, field) => {
    const email = `${name}-${field}@example.com`;
    const admin = world.as('admin');
    const { data } = await admin.post('/users', { email, status: 'unverified' });
    const register = 'UPDATE service_users SET registered = true WHERE email = $1';
    await world.app.database.query(register, [email]);
    if (path) expect((await admin.post(path, { [field]: data['id'] })).status).toBe(200);
    const before = await stored();
    provider.person = { sub: `${name}-${field}`, email, email_verified: true };
    const { location } = await new ProviderVisit(world.app, name).signIn();
    expect(location).toContain('reason=INVALID_CREDENTIALS');
    expect(await stored()).toEqual(before);
  },
);
