import { randomBytes } from 'node:crypto';
import { scripts } from '../../package.json';
import { run, type Running } from './running';

const REGISTER = ['-r', './test/support/register.js'];
/** What `npm run start:prod` gives to Node, and the service with the sample's collections beside its own. */
const OPTIONS = scripts['start:prod'].split(' ').slice('exec node'.split(' ').length, -1);
const ENTRY = [...OPTIONS, 'dist/test/sample-extension/main.js'];

const serviceEnv = (databaseUrl: string): Record<string, string> => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  SECRET: SECRET,
  DATABASE_URL: databaseUrl,
  LOG_LEVEL: 'warn',
  // Everything comes from one address, and is counted as in production.
  RATE_LIMIT_REQUESTS: '1000000000',
  ADMIN_EMAIL: 'first@example.com',
  ADMIN_PASSWORD: randomBytes(12).toString('hex'),
});

const SECRET = randomBytes(32).toString('base64url');

export const startService = (databaseUrl: string, core: number): Promise<Running> =>
  run(ENTRY, serviceEnv(databaseUrl), core);

/** The service with an ear on its driver: for learning what it sends, not for measuring. The floor counts nothing. */
export const startRecorder = (databaseUrl: string): Promise<Running> =>
  run([...REGISTER, '-r', './test/bench/record-statements.ts', ...ENTRY], {
    ...serviceEnv(databaseUrl),
    RATE_LIMIT_ENABLED: 'false',
  });

export const startFloor = (databaseUrl: string, core: number): Promise<Running> =>
  run([...REGISTER, 'test/bench/floor-server.ts'], { DATABASE_URL: databaseUrl }, core);
