import { randomBytes } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database, type Queries, takeAdvisoryLock, type Tx } from '../database';
import { AppConfig } from '../config/app-config';
import { FailedValidation } from '../common/errors';
import { StartupError } from '../config/startup-error';
import { PasswordRules, Passwords } from '../users';

interface Administrator {
  readonly email: string;
  readonly password: string;
}

const RANDOM_BYTES = 18;

const ROLE = `INSERT INTO service_roles (name, description)
  VALUES ('Administrator', 'May do everything') RETURNING id`;
const POLICY = `INSERT INTO service_policies (name, description, admin_access, app_access)
  VALUES ($1, $2, $3, $3) RETURNING id`;
const ACCESS = 'INSERT INTO service_access (policy, role) VALUES ($1::uuid, $2::uuid)';
const USER = `INSERT INTO service_users (email, password, first_name, role)
  VALUES ($1, $2, 'Administrator', $3::uuid)`;

/** Creates the first administrator, and a public policy for rules, if there is no user at all. */
@Injectable()
export class FirstStartService implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly rules: PasswordRules,
    private readonly config: AppConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (await hasUsers(this.database)) return;
    const { adminEmail, adminPassword } = this.config;
    const administrator = {
      email: adminEmail ?? 'admin@example.com',
      password: adminPassword ?? randomBytes(RANDOM_BYTES).toString('base64url'),
    };
    await this.checkPassword(administrator);
    const hash = await this.passwords.hash(administrator.password);
    const create = async (tx: Tx): Promise<boolean> => {
      // Of several instances that start together, one does the work; the others wait, and find it done.
      await tx.query(takeAdvisoryLock('firstStart'));
      if (await hasUsers(tx)) return false;
      await createFirstRows(tx, administrator.email, hash);
      return true;
    };
    const isCreated = await this.database.transaction(create, { withoutTimeouts: true });
    if (isCreated && adminPassword === undefined) announce(administrator);
  }

  /** Checks the configured password, except for its length, which was checked when the environment was read. */
  private async checkPassword({ password }: Administrator): Promise<void> {
    try {
      await this.rules.check(password);
    } catch (cause) {
      if (!(cause instanceof FailedValidation)) throw cause;
      const fault =
        cause.details.type === 'common' ? 'is one that everybody tries first' : 'is weak';
      throw new StartupError(`ADMIN_PASSWORD ${fault}. Choose another.`, { cause });
    }
  }
}

async function hasUsers(queries: Queries): Promise<boolean> {
  const [user] = await queries.query('SELECT 1 FROM service_users LIMIT 1');
  return user !== undefined;
}

async function createFirstRows(tx: Tx, email: string, hash: string): Promise<void> {
  const role = await insert(tx, ROLE);
  const policy = await insert(tx, POLICY, ['Administrator', 'Everything, no rules needed', true]);
  const everyone = await insert(tx, POLICY, [
    'Public',
    'What anybody may do, signed in or not',
    false,
  ]);
  await tx.query(ACCESS, [policy, role]);
  await tx.query(ACCESS, [everyone, null]);
  await tx.query(USER, [email, hash, role]);
}

async function insert(tx: Tx, text: string, values: readonly unknown[] = []): Promise<string> {
  const [row] = await tx.query<{ id: string }>(text, values);
  if (!row) throw new Error('Nothing was inserted');
  return row.id;
}

/** Prints directly to the console, whatever the log level: the password is not shown again. */
function announce({ email, password }: Administrator): void {
  process.stdout.write(
    `The first administrator was created. This is shown only once:\n  e-mail: ${email}\n  password: ${password}\n`,
  );
}
