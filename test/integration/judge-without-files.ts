import { closeSync, openSync } from 'node:fs';
import { AuthSettings } from '../../src/settings';
import { PasswordRules } from '../../src/users';

/* Judges its first password while the process cannot open files, and another when it can again. */

function openAll(): number[] {
  const files: number[] = [];
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch {
    return files;
  }
}

async function judge(): Promise<void> {
  const settings = { read: async () => ({ passwordPolicy: null }) } as unknown as AuthSettings;
  const rules = new PasswordRules(settings);
  const outcome = (): Promise<string> =>
    rules.check('three-green-kettles').then(
      () => 'judged',
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
  const files = openAll();
  const first = await outcome();
  for (const file of files) closeSync(file);
  process.stdout.write(`${first}, ${await outcome()}\n`);
}

void judge();
