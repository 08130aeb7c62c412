import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const OIDC_CLIENT = { id: 'doorward', secret: 'the-secret-of-the-browser-test' } as const;

export interface OidcProvider {
  readonly issuer: string;
  close(): Promise<void>;
}

/** The npm package `oidc-provider` in a separate process, as it is an ES module that the tests cannot load. */
export async function startOidcProvider(callback: string): Promise<OidcProvider> {
  const child = spawn(process.execPath, [join(__dirname, 'oidc-provider-program.mjs'), callback], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const close = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill();
    await ended;
  };
  return { issuer: await issuerOf(child), close };
}

async function issuerOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let errors = '';
  stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  if (!stdout) throw new Error('It has no output');
  for await (const line of createInterface({ input: stdout })) {
    const [, issuer] = /^issuer (\S+)$/.exec(line) ?? [];
    if (issuer !== undefined) return issuer;
  }
  throw new Error(`The provider ended: ${errors}`);
}
