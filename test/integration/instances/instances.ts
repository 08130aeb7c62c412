import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, runProgram, TEST_ADMIN } from '../../support';

export interface Instances {
  readonly urls: readonly string[];
  close(): Promise<void>;
}

/** One process for each of the URLs, each reaching the database by its own. */
export async function startInstances(databaseUrls: readonly string[]): Promise<Instances> {
  const dataDir = mkdtempSync(join(tmpdir(), 'doorward-instances-'));
  const start = (url: string): Program =>
    runProgram('src/main.ts', {
      ...{ DATABASE_URL: url, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' },
      ...{ ADMIN_EMAIL: TEST_ADMIN.email, ADMIN_PASSWORD: TEST_ADMIN.password },
      ...{ SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX', BCRYPT_COST: '4' },
      ...{ RATE_LIMIT_REQUESTS: '1000000' },
    });
  const programs = databaseUrls.map(start);
  const close = async (): Promise<void> => {
    for (const { child } of programs) child.kill('SIGTERM');
    await Promise.all(programs.map((program) => program.ends()));
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const urls = await Promise.all(
      programs.map(async (program) => (await program.prints(/listens on (http:\S+)/))[1] ?? ''),
    );
    return { urls, close };
  } catch (error) {
    await close();
    throw error;
  }
}
