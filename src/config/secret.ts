import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvReader } from './env-reader';
import { looksLikeWords } from './looks-like-words';
import { StartupError } from './startup-error';

const MIN_LENGTH = 32;
const MIN_DISTINCT = 8;
const PLACEHOLDER =
  /change.?me|change.?this|placeholder|replace|example|your.?secret|my.?secret|super.?secret|insert|default|password|x{6}|12345678/i;

/**
 * The secrets from which keys are derived: the current one first, then those that it replaced. In production they come
 * from SECRET, and one that could be guessed is refused. Elsewhere an unset secret is generated once and stored in the data
 * folder, so that a restart signs nobody out.
 */
export function readSecrets(
  env: EnvReader,
  production: boolean,
  dataDir: string,
): () => readonly [string, ...string[]] {
  const [first, ...older] = new Set(env.list('SECRET'));
  if (production) refuseWeak(env, first, older);
  if (first !== undefined) return () => [first, ...older];
  let stored: string | undefined;
  // Generated when it is first needed: a start that fails for another reason leaves no file behind.
  return () => [(stored ??= storedSecret(dataDir))];
}

function refuseWeak(env: EnvReader, first: string | undefined, older: readonly string[]): void {
  if (first === undefined) return env.fault('SECRET', 'is required in production');
  const weak = [first, ...older].map(weaknessOf);
  weak.forEach((weakness, index) => {
    const which = older.length === 0 ? '' : `(number ${index + 1} of the list) `;
    if (weakness !== undefined) env.fault('SECRET', `${which}${weakness}`);
  });
}

function weaknessOf(secret: string): string | undefined {
  if (secret.length < MIN_LENGTH) return `must have at least ${MIN_LENGTH} characters`;
  if (PLACEHOLDER.test(secret) || new Set(secret).size < MIN_DISTINCT) {
    return 'is a placeholder; generate one with: openssl rand -base64 48';
  }
  return looksLikeWords(secret)
    ? 'consists of words; generate one with: openssl rand -base64 48'
    : undefined;
}

function storedSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  const stored = readStored(file);
  if (stored !== undefined && isWhole(stored)) return stored;
  try {
    return generateStored(dataDir, file);
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(
      `Cannot write ${file} (${codeOf(cause)}). Set DATA_DIR to a folder that can be written, or set SECRET.`,
      { cause },
    );
  }
}

const isWhole = (secret: string): boolean => secret.length >= MIN_LENGTH;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown';

/**
 * @returns undefined where there is no file
 * @throws StartupError where there is one that cannot be read: with another secret, all that it encrypted would be lost
 */
function readStored(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new StartupError(
      `Cannot read ${file} (${code}). Let the service read it, or set SECRET.`,
      { cause },
    );
  }
}

/** Written to a file of its own, then linked into place, so that processes that start together share one whole secret. */
function generateStored(dataDir: string, file: string): string {
  mkdirSync(dataDir, { recursive: true });
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(aside, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(aside, file);
  } catch (error) {
    const stored = readStored(file);
    // Without a file, the name is that of a link whose target is missing, perhaps only now.
    if (stored === undefined) throw error;
    if (!isWhole(stored)) {
      // The file holds no secret (cut short, emptied), so nothing was signed with it that is worth keeping.
      rmSync(file, { force: true });
      linkSync(aside, file);
    }
  } finally {
    rmSync(aside, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}
