import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, runProgram, TEST_ADMIN } from '../../support';

export interface Instances {
  readonly urls: readonly string[];
  /** The output so far. */
  output(): string;
  close(): Promise<void>;
}

const SETTINGS = {
  ...{ HOST: '127.0.0.1', PORT: '0' },
  ...{ ADMIN_EMAIL: TEST_ADMIN.email, ADMIN_PASSWORD: TEST_ADMIN.password },
  ...{ SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX', BCRYPT_COST: '4' },
  ...{ RATE_LIMIT_REQUESTS: '1000000' },
};

/** The program that `npm run start:sample` starts. */
export const SAMPLE = 'test/sample-extension/main.ts';

/** Starts one instance without waiting for it. */
export const startInstance = (
  env: Readonly<Record<string, string>>,
  entry = 'src/main.ts',
): Program => runProgram(entry, { ...SETTINGS, ...env });

/** @returns the address, once it listens */
export const addressOf = async (program: Program): Promise<string> =>
  (await program.prints(/listens on (http:\S+)/))[1] ?? '';

/** Starts one process for each URL of the database. */
export async function startInstances(
  databaseUrls: readonly string[],
  env: Readonly<Record<string, string>> = {},
  entry?: string,
): Promise<Instances> {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorward-instances-'));
  const programs = databaseUrls.map((url) =>
    startInstance({ DATABASE_URL: url, DATA_DIR: dataDir, ...env }, entry),
  );
  const close = async (): Promise<void> => {
    for (const { child } of programs) child.kill('SIGTERM');
    await Promise.all(programs.map((program) => program.ends()));
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const urls = await Promise.all(programs.map(addressOf));
    const output = (): string => programs.map((program) => program.output()).join('');
    return { urls, output, close };
  } catch (error) {
    await close();
    throw error;
  }
}
