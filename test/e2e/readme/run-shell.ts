import { spawn } from 'node:child_process';
import { once } from 'node:events';

const MARK = '--- the next block ---';

/** Runs blocks of commands in one bash, one after the other, and returns the output of each. */
export async function runShell(
  blocks: readonly string[],
  env: Record<string, string>,
  input: string,
): Promise<string[]> {
  const script = ['set -euo pipefail', ...blocks].join(`\necho; echo '${MARK}'\n`);
  // Without --norc, a bash whose input is a socket behaves like a login shell.
  const shell = spawn('bash', ['--norc', '-c', script], {
    env: { PATH: process.env['PATH'], ...env },
  });
  let output = '';
  let faults = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  shell.stderr.on('data', (chunk: Buffer) => (faults += chunk.toString()));
  shell.stdin.end(input);
  const [code] = (await once(shell, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The shell ended with ${code}:\n${faults}\n${output}`);
  if (faults !== '') throw new Error(`The shell complained:\n${faults}`);
  return output.split(`${MARK}\n`).slice(1);
}
