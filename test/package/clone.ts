import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const COPIED = [
  ...['.oxlintrc.json', '.prettierrc.json', 'dist', 'jest.config.js', 'nest-cli.json'],
  ...['package-lock.json', 'package.json', 'src', 'test', 'tsconfig.build.json', 'tsconfig.json'],
];
const LISTENS = /listens on (http:\S+)/;

export interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

/** A copy of the tree, as it stands, without what is in `extensions/`. */
export class Clone {
  constructor(
    private readonly folder: string,
    root: string,
  ) {
    mkdirSync(folder);
    for (const name of COPIED) {
      cpSync(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  /**
   * A command, to its end.
   * @throws Error with what it printed, where it fails
   */
  run(command: string): void {
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', command], this.options());
    if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`);
  }

  /** A command that starts the service. */
  async start(command: string): Promise<Running> {
    // A group of its own: what npm starts is to end too.
    const child = spawn('bash', ['--norc', '-c', command], { ...this.options(), detached: true });
    const ended = once(child, 'close');
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      const look = (chunk: Buffer): void => {
        output += chunk.toString();
        const [, found] = LISTENS.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.on('close', () => reject(new Error(`It did not start:\n${output}`)));
    });
    const stop = async (): Promise<void> => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    };
    return { url, stop };
  }

  private options(): { cwd: string; env: NodeJS.ProcessEnv; encoding: 'utf8' } {
    const { PATH, HOME } = process.env;
    return {
      cwd: this.folder,
      env: { PATH, HOME, PORT: '0', HOST: '127.0.0.1' },
      encoding: 'utf8',
    };
  }
}
