import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** The program runs too briefly for an optimised compilation of the embedded database to pay off. */
const FLAGS = ['-C', 'doorward-source', '--liftoff-only', '-r', join(__dirname, 'register.js')];

/** The arguments for Node to run a TypeScript program from any folder. */
export const programArguments = (file: string, ...args: string[]): string[] => [
  ...FLAGS,
  file,
  ...args,
];

export interface Program {
  child: ChildProcess;
  /** Everything printed so far on both streams. */
  output: () => string;
  /** Waits until it prints something that matches. */
  prints: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Waits for its end. @returns the exit code, or the name of the signal */
  ends: () => Promise<number | string | null>;
}

/** Starts a TypeScript program of the project in a separate process, with only PATH of our environment. */
export const runProgram = (file: string, env: Record<string, string>, ...args: string[]): Program =>
  runProgramIn(ROOT, join(ROOT, file), env, ...args);

/** The same for a program from any folder, run in another folder. */
export function runProgramIn(
  cwd: string,
  file: string,
  env: Record<string, string>,
  ...args: string[]
): Program {
  const child = spawn(process.execPath, programArguments(file, ...args), {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return {
    child,
    output: () => output,
    ends: () => ended,
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(output);
          if (found) resolve(found);
        };
        child.stdout?.on('data', look);
        child.stderr?.on('data', look);
        look();
        void ended.then((code) => reject(new Error(`It ended with ${code}:\n${output}`)));
      }),
  };
}
