import { randomBytes } from 'node:crypto';
import { scripts } from '../../package.json';
import type { PeerName } from './line';
import { run, type Running } from './running';

const REGISTER = ['-r', './test/support/register.js'];
const [VARIABLES = '', COMMAND = ''] = scripts['start:prod'].split(' exec ');
const [, ...OPTIONS] = COMMAND.split(' ').slice(0, -1);
/** The service as `npm run start:prod` starts it, with the sample's collections in addition. */
const ENTRY = [...OPTIONS, 'dist/test/sample-extension/main.js'];

const serviceEnv = (databaseUrl: string): Record<string, string> => ({
  ...(Object.fromEntries(VARIABLES.split(' ').map((each) => each.split('='))) as object),
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  SECRET: SECRET,
  DATABASE_URL: databaseUrl,
  // All requests come from one address, and are counted as in production.
  RATE_LIMIT_REQUESTS: '1000000000',
  ADMIN_EMAIL: 'first@example.com',
  ADMIN_PASSWORD: randomBytes(12).toString('hex'),
});

const SECRET = randomBytes(32).toString('base64url');

export const startService = (databaseUrl: string, core: number): Promise<Running> =>
  run(ENTRY, serviceEnv(databaseUrl), core);

export const ADMINISTRATOR = {
  email: 'first@example.com',
  password: randomBytes(12).toString('hex'),
};

/** One of several instances behind a balancer. It logs nothing about a missing database; its answers show that. */
export const startInstance = (
  databaseUrl: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Running> =>
  run(ENTRY, {
    ...serviceEnv(databaseUrl),
    ...env,
    ...{ PORT: String(port), TRUST_PROXY: '1', LOG_LEVEL: 'fatal' },
    ...{ ADMIN_EMAIL: ADMINISTRATOR.email, ADMIN_PASSWORD: ADMINISTRATOR.password },
    // Users sign in once here, so a low cost is enough.
    ...{ BCRYPT_COST: '4', ACCESS_TOKEN_TTL: '1d' },
  });

/** The service with recorded statements: to learn what it sends, not to measure it. The floor counts no requests. */
export const startRecorder = (databaseUrl: string): Promise<Running> =>
  run([...REGISTER, '-r', './test/bench/record-statements.ts', ...ENTRY], {
    ...serviceEnv(databaseUrl),
    RATE_LIMIT_ENABLED: 'false',
  });

export const startFloor = (databaseUrl: string, core: number): Promise<Running> =>
  run([...REGISTER, 'test/bench/floor-server.ts'], { DATABASE_URL: databaseUrl }, core);

const PEERS: Readonly<Record<PeerName, string>> = {
  'by-hand': 'test/bench/peers/by-hand.ts',
  apollo: 'test/bench/peers/bare-apollo.ts',
};

export const startPeer = (name: PeerName, databaseUrl: string, core: number): Promise<Running> =>
  run(
    [...REGISTER, PEERS[name]],
    { NODE_ENV: 'production', SECRET, DATABASE_URL: databaseUrl },
    core,
  );
