import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from './replace-file';

const OUTPUT = { out: () => undefined, err: () => undefined, colours: false };

it('a file that a killed export left behind stops no later one, and is nobody else’s to delete', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-replace-'));
  const file = join(folder, 'rules.yaml');
  writeFileSync(`${file}.${process.pid}`, 'half');
  await replaceFile(file, 'version: 1\n', OUTPUT);
  expect(readFileSync(file, 'utf8')).toBe('version: 1\n');
  expect(readdirSync(folder).toSorted()).toEqual(['rules.yaml', `rules.yaml.${process.pid}`]);
});
