import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppConfig } from './app-config';
import { StartupError } from './startup-error';
import { configOf, faultsOf, OTHER, STRONG } from './app-config.spec-support';

describe('the secret', () => {
  it.each([
    ['missing', ''],
    ['short', 'a'.repeat(5) + 'bcdefghijk'],
    ['a placeholder', 'please-change-me-please-change-me-1'],
    ['one repeated letter', 'a'.repeat(40)],
    ['words', 'correct-horse-battery-staple-forever'],
    ['words without separators', 'thequickbrownfoxjumpsoverthelazydog'],
    ['words with capitals and digits', 'WinterComesEarlyInTheMountains2024!'],
    ['words in another language', 'der schnelle braune fuchs springt ueber den hund'],
  ])('is refused in production when %s', (_, secret) => {
    const faults = faultsOf({ NODE_ENV: 'production', SECRET: secret });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('SECRET');
  });

  it('may be a list: the one in use first, the replaced ones after it', () => {
    const list = ` ${STRONG}, ${OTHER},${STRONG},`;
    expect(configOf({ NODE_ENV: 'production', SECRET: list }).secrets).toEqual([STRONG, OTHER]);
  });

  it.each([
    ['a short one', `${STRONG},short`, /number 2 .* 32 characters/],
    ['a placeholder first', `change-me-change-me-change-me-change-me,${STRONG}`, /number 1/],
    ['words', `${STRONG},correct-horse-battery-staple-forever`, /number 2 .* words/],
    ['only commas', ',,', /is required/],
  ])('is refused in production if the list contains %s', (_, SECRET, fault) => {
    const faults = faultsOf({ NODE_ENV: 'production', SECRET });
    expect(faults).toEqual([expect.stringMatching(fault)]);
    expect(faults[0]).not.toContain('change-me');
  });

  it('is accepted in production when strong', () => {
    expect(configOf({ NODE_ENV: 'production' }).secrets[0]).toBe(STRONG);
  });

  it.each(['base64', 'base64url', 'hex'] as const)(
    'is accepted if it was generated (%s)',
    (form) => {
      for (let number = 0; number < 500; number += 1) {
        // Hashes of numbers, so that they are the same in every run.
        const secret = createHash('sha384').update(String(number)).digest(form);
        expect(configOf({ NODE_ENV: 'production', SECRET: secret }).secrets[0]).toBe(secret);
      }
    },
  );

  it('that cannot be stored is reported clearly', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'doorward-')), 'file');
    writeFileSync(file, '');
    const start = (): string => new AppConfig({ DATA_DIR: join(file, 'data') }).secrets[0];
    expect(start).toThrow(StartupError);
    expect(start).toThrow(/DATA_DIR/);
  });

  it('is generated once outside production and stored readable only by the owner', () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'doorward-')), 'data');
    const first = new AppConfig({ DATA_DIR: dataDir }).secrets[0];
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(new AppConfig({ DATA_DIR: dataDir }).secrets[0]).toBe(first);
    const file = join(dataDir, 'secret');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').trim()).toBe(first);
  });

  it.each(['', 'cut-short'])('is generated again if the stored file holds "%s"', (stored) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'doorward-'));
    writeFileSync(join(dataDir, 'secret'), stored);
    expect(new AppConfig({ DATA_DIR: dataDir }).secrets[0].length).toBeGreaterThanOrEqual(32);
  });

  it('is never replaced because its file cannot be read: what it encrypted would be lost', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'doorward-'));
    const file = join(dataDir, 'secret');
    // A link to itself cannot be read, by root neither.
    symlinkSync(file, file);
    const start = (): string => new AppConfig({ DATA_DIR: dataDir }).secrets[0];
    expect(start).toThrow(StartupError);
    expect(start).toThrow(`Cannot read ${file} (ELOOP).`);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
  });

  it('is not written in place of a link to a file that is missing, as while a volume is not mounted', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'doorward-'));
    const file = join(dataDir, 'secret');
    symlinkSync(join(dataDir, 'volume', 'secret'), file);
    const start = (): string => new AppConfig({ DATA_DIR: dataDir }).secrets[0];
    expect(start).toThrow(`Cannot write ${file} (EEXIST).`);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
  });

  it('is not written if another setting is invalid', () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'doorward-')), 'data');
    expect(() => new AppConfig({ DATA_DIR: dataDir, PORT: 'x' })).toThrow(StartupError);
    expect(existsSync(dataDir)).toBe(false);
  });
});
