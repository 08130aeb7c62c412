import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readDocument } from '../docs/documents';
import { as, signIn } from '../../src/testing/clients';
import { makeDatabases } from './homes/databases';
import { ADMIN } from './scenarios/people';
import type { Workplace } from './workplace';

const COMMAND = /^NODE_ENV=production SECRET=… (DATABASE_URL=postgres:\/\/…) npm run start:prod$/m;

/** Starts the service in a clone as README.md says for production: on each database, with a new secret. */
export async function startProduction(clone: Workplace): Promise<void> {
  const [command = '', address = ''] = COMMAND.exec(readDocument('README.md')) ?? [];
  assert.notEqual(command, '', 'README.md does not say how to start in production');
  const databases = await makeDatabases(clone.folder);
  try {
    for (const { environment, kind } of databases) {
      const { DATABASE_URL, DATA_DIR = '' } = environment;
      const filled = command
        .replace('SECRET=…', `SECRET=${randomBytes(36).toString('base64url')}`)
        .replace(address, DATABASE_URL === undefined ? '' : `DATABASE_URL=${DATABASE_URL}`);
      const service = await clone.start(['bash', '--norc', '-c', filled], { DATA_DIR });
      const admin = as(service, (await signIn(service, ADMIN)).access_token);
      assert.equal((await admin.get('/users/me?fields=email')).status, 200);
      assert.equal(await service.stop(), 0);
      console.log(`    on ${kind}`);
    }
  } finally {
    for (const database of databases) await database.drop();
  }
}
