import { Module } from '@nestjs/common';
import {
  type CollectionHooks,
  CollectionsModule,
  Forbidden,
  HooksOf,
  type Key,
  type PayloadContext,
  type UpdateContext,
  type WriteContext,
} from 'doorward';
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

let manager = '';
/** The addresses of users that the hooks below make. */
const assistants: string[] = [];

/** Hooks that write other users, in the caller's name, whenever one is created or changed. */
@HooksOf('service_users')
class StaffHooks implements CollectionHooks {
  async beforeCreate<T extends object>(payload: T, context: WriteContext): Promise<T> {
    await this.assist(payload, context);
    return payload;
  }

  async afterCreate(_: unknown, { write }: WriteContext): Promise<void> {
    if (manager !== '') await write.update('service_users', [manager], { location: 'busy' });
  }

  async afterUpdate(keys: readonly Key[], { write, tx }: WriteContext): Promise<void> {
    if (manager === '' || keys.includes(manager)) return;
    await write.update('service_users', [manager], { location: 'busy' });
    await this.assist(await tx.query('SELECT email FROM service_users WHERE id = $1', [keys[0]]), {
      write,
    });
  }

  private async assist(sent: object, { write }: Pick<WriteContext, 'write'>): Promise<void> {
    const [{ email }] = [sent].flat() as [{ email?: string }];
    if (manager === '' || email?.startsWith('user-') !== true) return;
    const assistant = anAddress().replace('user', 'assistant');
    await write.create('service_users', [{ email: assistant }]);
    assistants.push(assistant);
  }
}

/** Hooks that store addresses in lower case, leave some users to be approved by hand, and bar others. */
@HooksOf('service_users')
class AddressHooks implements CollectionHooks {
  beforeCreate<T extends object>(payload: T, context: PayloadContext): T {
    const { email = '' } = payload as { email?: string };
    if (email !== email.toLowerCase()) context.set({ email: email.toLowerCase() });
    if (email.startsWith('approved-')) context.set({ status: 'draft' });
    return payload;
  }

  async beforeUpdate<T extends object>(
    payload: T,
    keys: readonly Key[],
    { tx }: UpdateContext,
  ): Promise<T> {
    const sql = `SELECT FROM service_users WHERE id = ANY($1) AND email LIKE 'barred-%'`;
    if ((await tx.query(sql, [keys])).length > 0) throw new Forbidden({ collection: 'offices' });
    return payload;
  }
}

@Module({
  imports: [CollectionsModule.forFeature([])],
  providers: [OfficeHooks, StaffHooks, AddressHooks],
})
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
    const token = await app.recorded.tokenFor(email);
    expect((await transport.run(app.nobody, 'verify', { token })).codes).toEqual([]);
    expect(await profile(email)).toEqual(CHANGED);
  });

  it('is stored when an invitation is accepted', async () => {
    const email = anAddress();
    await app.admin.post('/users/invite', { email, role: app.role });
    const token = await app.recorded.tokenFor(email);
    const accepted = await transport.run(app.nobody, 'accept', { token, password: CHOSEN });
    expect(accepted.codes).toEqual([]);
    expect(await profile(email)).toEqual(CHANGED);
    expect(await app.canSignIn(email, CHOSEN)).toBe(true);
  });

  it('to a new address is where the link of a registration is mailed, and what it confirms', async () => {
    const email = anAddress();
    await transport.run(app.nobody, 'register', {
      email: email.replace('user', 'User'),
      password: CHOSEN,
    });
    const token = await app.recorded.tokenFor(email);
    expect((await transport.run(app.nobody, 'verify', { token })).codes).toEqual([]);
    expect(await app.canSignIn(email, CHOSEN)).toBe(true);
  });

  it('that refuses a confirmation is answered as it says, and the link stays valid', async () => {
    const email = anAddress().replace('user', 'barred');
    await transport.run(app.nobody, 'register', { email, password: CHOSEN });
    const token = await app.recorded.tokenFor(email);
    for (const time of ['once', 'twice']) {
      const { codes } = await transport.run(app.nobody, 'verify', { token });
      expect([time, codes]).toEqual([time, ['FORBIDDEN']]);
    }
    expect(await app.stored(email)).toMatchObject([{ status: 'unverified' }]);
  });

  it('to the status of a registration, which nobody can confirm then, keeps the link from being mailed', async () => {
    const email = anAddress().replace('user', 'approved');
    await transport.run(app.nobody, 'register', { email, password: CHOSEN });
    expect(await app.stored(email)).toMatchObject([{ status: 'draft' }]);
    expect(await app.recorded.to(email)).toEqual([]);
  });
});

describe.each(REGISTRATION_TRANSPORTS)(
  "a team's hook that writes other users at $name",
  (transport) => {
    beforeAll(async () => {
      manager = '';
      const email = anAddress().replace('user', 'manager');
      const { data } = await app.admin.post('/users', { email, password: CHOSEN });
      manager = String(data['id']);
    });
    afterAll(() => {
      manager = '';
    });
    beforeEach(() => assistants.splice(0));

    /** Neither the manager nor the assistants were invited, activated or mailed. */
    const expectOthersUntouched = async (made: number): Promise<void> => {
      await app.settled();
      const sql =
        'SELECT status, password IS NULL AS open FROM service_users WHERE email = ANY($1)';
      const others = await app.test.database.query(sql, [assistants]);
      expect(others).toEqual(Array(made).fill({ status: 'active', open: true }));
      const busy = 'SELECT status, location FROM service_users WHERE id = $1';
      expect(await app.test.database.query(busy, [manager])).toEqual([
        { status: 'active', location: 'Hall 2' },
      ]);
      for (const { to } of app.recorded.mails) expect(to.address).not.toMatch(/assistant|manager/);
    };

    it('leaves invitations to whom they are for', async () => {
      const email = anAddress();
      const invited = await transport.run(app.admin, 'invite', { email, role: app.role });
      expect(invited.codes).toEqual([]);
      expect(await app.stored(email)).toMatchObject([{ status: 'invited' }]);
      await expectOthersUntouched(1);
      const token = await app.recorded.tokenFor(email);
      const accepted = await transport.run(app.nobody, 'accept', { token, password: CHOSEN });
      expect(accepted.codes).toEqual([]);
      expect(await app.canSignIn(email, CHOSEN)).toBe(true);
      await expectOthersUntouched(2);
    });

    it('leaves registrations to whom they are for', async () => {
      const email = anAddress();
      await transport.run(app.nobody, 'register', { email, password: CHOSEN });
      const token = await app.recorded.tokenFor(email);
      await expectOthersUntouched(1);
      expect((await transport.run(app.nobody, 'verify', { token })).codes).toEqual([]);
      expect(await app.canSignIn(email, CHOSEN)).toBe(true);
      await expectOthersUntouched(2);
    });
  },
);
