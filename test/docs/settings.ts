/* Writes the table of settings to docs/configuration.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsTable } from './settings-table';

const FILE = join(__dirname, '../../docs/configuration.md');
const PLACE = /(<!-- settings -->\n)[\s\S]*(<!-- end of settings -->)/;

const text = readFileSync(FILE, 'utf8');
const table = `\n${settingsTable()}\n`;
writeFileSync(
  FILE,
  text.replace(PLACE, (_, start: string, end: string) => start + table + end),
);
