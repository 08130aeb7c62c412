import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { TEST_ADMIN, signIn, startTestApp } from '../support';

/** Fills a small disk under a running service until the engine gives up, then makes room again; prints the answers. */
async function main(disk: string): Promise<void> {
  const test = await startTestApp({
    storage: { kind: 'folder', path: join(disk, 'pg') },
    logger: false,
  });
  const { access_token: token } = await signIn(test, TEST_ADMIN);
  const create = async (name: string): Promise<void> => {
    const response = await fetch(`${test.url}/roles`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, description: 'x'.repeat(200) }),
    });
    const text = await response.text();
    const message = response.ok ? '' : (JSON.parse(text) as Refusal).errors[0]?.message;
    process.stdout.write(`${name}: ${response.status} ${message}\n`);
  };
  await create('before');
  const filler = join(disk, 'filler');
  fill(filler);
  const checkpoint = await test.database.query('CHECKPOINT').catch((error: Error) => error);
  process.stdout.write(
    `checkpoint: ${checkpoint instanceof Error ? checkpoint.message : 'done'}\n`,
  );
  await create('full');
  rmSync(filler);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  await create('after');
  const rows = await test.database.query<{ name: string }>(
    "SELECT name FROM service_roles WHERE name IN ('before', 'after') ORDER BY name",
  );
  process.stdout.write(`kept: ${rows.map(({ name }) => name).join()}\n`);
  await test.close();
}

interface Refusal {
  readonly errors: readonly { readonly message: string }[];
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(4_096, 1));
  } catch {
    closeSync(descriptor);
  }
}

void main(process.argv[2] ?? '');
