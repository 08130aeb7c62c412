import { Module } from '@nestjs/common';
import { type CollectionHooks, CollectionsModule, HooksOf, type UpdateContext } from 'doorward';
import {
  anAddress,
  CHOSEN,
  openRegistrationApp,
  type RegistrationApp,
  REGISTRATION_TRANSPORTS,
} from '../../support';

/** A team's hook that fills in fields whenever a user is changed. */
@HooksOf('service_users')
class OfficeHooks implements CollectionHooks {
  beforeUpdate<T extends object>(payload: T, _keys: unknown, context: UpdateContext): T {
    context.set({ location: 'Hall 2' });
    return { ...payload, title: 'Ms' };
  }
}

@Module({ imports: [CollectionsModule.forFeature([])], providers: [OfficeHooks] })
class OfficeModule {}

let app: RegistrationApp;

beforeAll(async () => {
  app = await openRegistrationApp({ imports: [OfficeModule] });
});

afterAll(() => app?.test.close());

const profile = async (email: string): Promise<object | undefined> => {
  const sql = 'SELECT status, title, location FROM service_users WHERE email = $1';
  const [row] = await app.test.database.query(sql, [email]);
  return row;
};

const CHANGED = { status: 'active', title: 'Ms', location: 'Hall 2' };

describe.each(REGISTRATION_TRANSPORTS)("what a team's hook adds at $name", (transport) => {
  it('is stored when a registration is confirmed', async () => {
    const email = anAddress();
    await transport.run(app.nobody, 'register', { email, password: CHOSEN });
    const token = await app.heard.tokenFor(email);
    expect((await transport.run(app.nobody, 'verify', { token })).codes).toEqual([]);
    expect(await profile(email)).toEqual(CHANGED);
  });

  it('is stored when an invitation is accepted', async () => {
    const email = anAddress();
    await app.admin.post('/users/invite', { email, role: app.role });
    const token = await app.heard.tokenFor(email);
    const accepted = await transport.run(app.nobody, 'accept', { token, password: CHOSEN });
    expect(accepted.codes).toEqual([]);
    expect(await profile(email)).toEqual(CHANGED);
    expect(await app.canSignIn(email, CHOSEN)).toBe(true);
  });
});
