import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** It does not run for long enough that an embedded database compiled for speed would pay. */
const FLAGS = ['-C', 'doorward-source', '--liftoff-only', '-r', join(__dirname, 'register.js')];

/** Arguments with which Node runs a TypeScript program from anywhere. */
export const programArguments = (file: string, ...args: string[]): string[] => [
  ...FLAGS,
  file,
  ...args,
];

export interface Program {
  child: ChildProcess;
  /** Everything it printed so far, both streams. */
  output: () => string;
  /** Waits until it prints something that matches. */
  prints: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Waits for its end: exit code, or the signal's name. */
  ends: () => Promise<number | string | null>;
}

/** Starts a TypeScript program of the project in a process of its own, with nothing of our environment but PATH. */
export const runProgram = (file: string, env: Record<string, string>, ...args: string[]): Program =>
  runProgramIn(ROOT, join(ROOT, file), env, ...args);

/** The same in another folder, and a program from anywhere. */
export function runProgramIn(
  cwd: string,
  file: string,
  env: Record<string, string>,
  ...args: string[]
): Program {
  const child = spawn(process.execPath, programArguments(file, ...args), {
    ...{ cwd, env: { PATH: process.env['PATH'], ...env } },
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
