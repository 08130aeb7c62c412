import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TOOLS = ['typescript@6.0', '@types/node@20'];
export const ADMIN = { email: 'admin@example.com', password: 'correct-horse-battery' } as const;

interface Ended {
  readonly code: number | null;
  /** Of both streams. */
  readonly output: string;
}

/** An application of a team's, in a folder of its own. */
export class Consumer {
  /** @param source what is copied there */
  constructor(
    private readonly folder: string,
    source: string,
  ) {
    cpSync(source, folder, { recursive: true });
    this.write({ name: 'invoicing', version: '1.0.0', private: true });
  }

  /** @param doorward the package, as npm takes it; what it shares with the application npm installs along */
  install(doorward: string): void {
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, doorward, ...TOOLS], {
      cwd: this.folder,
      stdio: 'inherit',
    });
  }

  /** A program of Node's, to its end. */
  run(...args: readonly string[]): Ended {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      ...{ cwd: this.folder, env: this.environment(), encoding: 'utf8' },
      ...{ timeout: 300_000, maxBuffer: 64 * 1024 * 1024 },
    });
    return { code: status, output: stdout + stderr };
  }

  start(program: string): ChildProcess {
    return spawn(process.execPath, [program], { cwd: this.folder, env: this.environment() });
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** As if another version of a package had been installed. */
  pretend(name: string, version: string): void {
    const file = join('node_modules', name, 'package.json');
    const described = JSON.parse(this.read(file)) as object;
    writeFileSync(join(this.folder, file), JSON.stringify({ ...described, version }));
  }

  private write(described: object): void {
    writeFileSync(join(this.folder, 'package.json'), JSON.stringify(described));
  }

  private environment(): NodeJS.ProcessEnv {
    const admin = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
    return { PATH: process.env['PATH'], PORT: '0', HOST: '127.0.0.1', ...admin };
  }
}
