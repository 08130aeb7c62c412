import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runShell } from '../e2e/readme/run-shell';
import { Answers, readSessions } from '../e2e/readme/session';
import type { Workplace } from './workplace';

const WALK = /<!-- walk -->\n([\s\S]*)<!-- end of walk -->/;
/** A session, a file with its text, or a command. */
const PART =
  /(<!-- session -->\n[\s\S]*?<!-- end of session -->)|<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)^```$|^```sh\n([\s\S]*?)^```$/gm;

/** Follows EXTENDING.md in a clone, step by step: writes its files, runs its commands, compares their output. */
export async function walkExtending(clone: Workplace): Promise<void> {
  const text = readFileSync(join(__dirname, '../../EXTENDING.md'), 'utf8');
  const parts = [...(WALK.exec(text)?.[1] ?? '').matchAll(PART)];
  assert.ok(parts.length > 8, 'EXTENDING.md has too few blocks');
  let start = '';
  for (const [, session, file, source = '', command = ''] of parts) {
    if (session !== undefined) await answer(clone, start, session);
    else if (file !== undefined) clone.write(file, source);
    else if (command.includes('npm start')) start = command;
    else clone.succeed(['bash', '--norc', '-c', command]);
  }
}

async function answer(clone: Workplace, start: string, session: string): Promise<void> {
  const service = await clone.start(['bash', '--norc', '-c', start]);
  try {
    const steps = readSessions(session).flat();
    const blocks = steps.map(({ commands }) => commands);
    const printed = await runShell(blocks, { URL: service.url }, '');
    const [written, real] = [new Answers(), new Answers()];
    for (const [index, step] of steps.entries()) {
      const now = real.normalise(printed[index] ?? '');
      assert.deepEqual(now, written.normalise(step.answer), step.commands);
    }
  } finally {
    await service.stop();
  }
}
