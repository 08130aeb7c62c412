import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartupError } from './startup-error';

/**
 * Packages that must not be loaded twice: what the application declares with its copy (a provider, a column, a type)
 * would be unknown to ours. Second copies of other packages do no harm.
 */
const SINGLE: ReadonlySet<string> = new Set([
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/graphql',
  '@nestjs/apollo',
  'graphql',
  'typeorm',
]);

interface Found {
  readonly version: string;
  /** Its real path, with links resolved. */
  readonly folder: string;
}

interface Pair {
  readonly name: string;
  readonly range: string;
  readonly ours: Found | undefined;
  readonly theirs: Found | undefined;
}

/**
 * Checks that each package that we share with the application has the major version that we need, and is one copy for
 * both. Reads files only, so that it can run before any of these packages is loaded.
 * @param own the folder of our own package
 * @param application a folder of the application
 * @throws StartupError a sentence for the first package that fails
 */
export function refuseOtherPackages(own: string, application: string): void {
  const { peerDependencies = {} } = read<{ peerDependencies?: Record<string, string> }>(own) ?? {};
  for (const [name, range] of Object.entries(peerDependencies)) {
    const pair = { name, range, ours: find(name, own), theirs: find(name, application) };
    const fault = faultOf(pair, application);
    if (fault !== undefined) throw new StartupError(fault);
  }
}

function faultOf({ name, range, ours, theirs }: Pair, application: string): string | undefined {
  const install = `npm install "${name}@${range}"`;
  const of = (where: Found): string => `${where.version} in ${where.folder}`;
  if (ours === undefined) return `doorward needs ${name}, which is not installed: ${install}`;
  if (major(ours.version) !== major(range)) {
    return `doorward needs ${name} ${range}, and finds ${of(ours)}: ${install}`;
  }
  if (theirs === undefined || theirs.folder === ours.folder) return undefined;
  if (major(theirs.version) !== major(ours.version)) {
    return `doorward needs ${name} ${range}, and the application in ${application} has ${of(theirs)}: ${install}`;
  }
  if (!SINGLE.has(name)) return undefined;
  return `There are two copies of ${name}, which do not work together: the application's ${of(theirs)}, doorward's ${of(ours)}. Use one for both: npm dedupe, or ${install}`;
}

/** The part of a version whose change may break others: the first number, or of 0.x the first two. */
const major = (version: string): string | undefined => /(?:0\.\d+|[1-9]\d*)/.exec(version)?.[0];

/** The package as Node resolves it from a folder. */
function find(name: string, from: string): Found | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    const version = read<{ version: string }>(found)?.version;
    if (version !== undefined) return { version, folder: realpathSync(found) };
    if (folder === dirname(folder)) return undefined;
  }
}

function read<T>(folder: string): T | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as T;
  } catch {
    return undefined;
  }
}
