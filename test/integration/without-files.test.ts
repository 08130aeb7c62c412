import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../..');
const FILES = 200;

it('a process that cannot open files at its first password still checks the next one', async () => {
  const program = ['-r', './test/support/register.js', 'test/integration/judge-without-files.ts'];
  const { stdout } = await promisify(execFile)(
    '/bin/sh',
    ['-c', `ulimit -n ${FILES} && exec "$0" "$@"`, process.execPath, ...program],
    { cwd: ROOT },
  );
  expect(stdout).toBe('EMFILE, judged\n');
});
