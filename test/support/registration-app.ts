import { randomUUID } from 'node:crypto';
import { as, signIn, type TestClient } from './clients';
import { recordMails, type RecordedMails, jobsDone } from './mails';
import { startTestApp, TEST_ADMIN, type TestApp, type TestAppOptions } from './start-test-app';

/** Two valid passwords. */
export const CHOSEN = 'the-first-of-passwords';
export const OTHER = 'the-second-of-passwords';

/** An application at which anybody may register, and its roles. */
export interface RegistrationApp {
  readonly test: TestApp;
  readonly recorded: RecordedMails;
  readonly admin: TestClient;
  readonly nobody: TestClient;
  /** The role of registered users. */
  readonly role: string;
  /** The role of administrators, and its policy, which grants everything. */
  readonly admins: string;
  readonly all: string;
  /** Waits until all jobs are done. */
  settled(): Promise<void>;
  /** Changes settings in one request. */
  set(settings: object): Promise<void>;
  /** The users with an address in any case, read by SQL once all jobs are done. */
  stored(email: string): Promise<StoredUser[]>;
  /** Whether a sign-in with these succeeds. */
  canSignIn(email: string, password: string): Promise<boolean>;
}

interface StoredUser {
  readonly id: string;
  readonly email: string;
  readonly status: string;
  readonly role: string | null;
  readonly password: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly provider: string;
  readonly tfa_secret: string | null;
  readonly policies: number;
}

const STORED = `
  SELECT id, email, status, role, password, first_name, last_name, provider, tfa_secret,
    (SELECT count(*)::int4 FROM service_access WHERE "user" = known.id) AS policies
  FROM service_users known WHERE lower(email) = lower($1) ORDER BY id`;

export async function openRegistrationApp(options: TestAppOptions = {}): Promise<RegistrationApp> {
  const test = await startTestApp(options);
  const recorded = recordMails(test);
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const nobody = as(test);
  const made = await admin.post('/roles', { name: 'Members' });
  const role = String(made.data['id']);
  const me = await admin.get('/users/me?fields=role');
  const policies = await admin.get('/policies?fields=id&filter[admin_access][_eq]=true');
  const [all] = policies.data as unknown as { readonly id: string }[];
  const set = async (settings: object): Promise<void> => {
    expect((await admin.patch('/settings', settings)).status).toBe(200);
  };
  await set({ public_registration: true, public_registration_role: role });
  return {
    test,
    recorded,
    admin,
    nobody,
    role,
    set,
    admins: String(me.data['role']),
    all: all?.id ?? '',
    settled: () => jobsDone(test),
    stored: async (email) => {
      await jobsDone(test);
      return test.database.query<StoredUser>(STORED, [email]);
    },
    canSignIn: async (email, password) =>
      (await nobody.post('/auth/login', { email, password })).status === 200,
  };
}

/** A new address. */
export const anAddress = (): string => `user-${randomUUID()}@example.com`;
