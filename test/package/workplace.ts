import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ADMIN } from './scenarios/people';

export interface Ended {
  readonly code: number | null;
  /** The output on both streams. */
  readonly output: string;
}

export interface Running {
  readonly url: string;
  /** @returns the exit code, or the name of the signal that ended it */
  stop(): Promise<number | string>;
}

export type Environment = Readonly<Record<string, string>>;
type Command = readonly [program: string, ...args: string[]];

const LISTENS = /listens on (http:[^\s"]+)/;
const LONGEST = 300_000;
const MOST_OUTPUT = 64 * 1024 * 1024;

/** A folder in which commands are run and programs started, with only PATH of our own environment. */
export class Workplace {
  constructor(
    readonly folder: string,
    private readonly environment: Environment = {},
  ) {}

  /** Runs a command to its end. */
  run([program, ...args]: Command, environment: Environment = {}): Ended {
    const { status, stdout, stderr } = spawnSync(program, args, {
      ...{ cwd: this.folder, env: this.all(environment), encoding: 'utf8' },
      ...{ timeout: LONGEST, maxBuffer: MOST_OUTPUT },
    });
    return { code: status, output: stdout + stderr };
  }

  /** @returns the output @throws Error with the output if the command fails */
  succeed(command: Command, environment: Environment = {}): string {
    const { code, output } = this.run(command, environment);
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`);
    return output;
  }

  /** Starts a program that prints its address. */
  async start([program, ...args]: Command, environment: Environment = {}): Promise<Running> {
    const options = { cwd: this.folder, env: this.all(environment) };
    // A separate process group, so that the processes that npm starts end too.
    const child = spawn(program, args, { ...options, detached: true });
    const ended = once(child, 'close');
    const url = await urlOf(child);
    const stop = async (): Promise<number | string> => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      const [code, signal] = (await ended) as [number | null, string];
      return code ?? signal;
    };
    return { url, stop };
  }

  copy(source: string, target: string): void {
    // Copied files are new, since an incremental build would skip older ones.
    cpSync(source, join(this.folder, target), { recursive: true });
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  private all(more: Environment): NodeJS.ProcessEnv {
    const { PATH, HOME } = process.env;
    const admin = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
    return { PATH, HOME, PORT: '0', HOST: '127.0.0.1', ...admin, ...this.environment, ...more };
  }
}

function urlOf(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      output += chunk.toString();
      const [, url] = LISTENS.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.on('close', () => reject(new Error(`It did not start:\n${output}`)));
  });
}
