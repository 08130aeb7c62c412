import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, relative } from 'node:path';
import { CommandFault } from '../common/command';
import { packageFolder } from '../common/package-folder';
import { provideSchema, type SchemaPart } from '../database';
import type { TeamModules } from '../team-modules';

/** Modules beside the service's own, and the folder of their migrations. */
export interface Extension {
  readonly name: string;
  readonly modules: TeamModules;
  /** Absolute. */
  readonly migrations: string;
}

/** The package that a command runs in. */
export interface Project {
  readonly root: string;
  /** Whether it is a clone of the service itself, with its `extensions/`. */
  readonly isClone: boolean;
  /** Whether its files are ES modules. */
  readonly isEsm: boolean;
  /** Its modules: in a clone those of each folder in `extensions/`, elsewhere those that package.json names, if any. */
  readonly extensions: readonly Extension[];
}

interface Manifest {
  readonly type?: unknown;
  readonly doorward?: unknown;
}

const MIGRATIONS = 'src/migrations';
/** The entry of package.json that names a team's modules. */
export const PACKAGE_ENTRY_EXAMPLE =
  '"doorward": { "modules": "dist/doorward.modules.js", "migrations": "src/migrations" }';

/**
 * Reads the nearest package.json, and loads the modules that it names.
 * @param modules given by a program itself; none are loaded then
 * @throws CommandFault where they cannot be loaded
 */
export function readProject(from: string, modules?: TeamModules): Project {
  const root = packageAbove(from) ?? from;
  const manifest = readManifest(root);
  const isClone = modules === undefined && root === packageFolder();
  const extensions = isClone ? inClone(root) : named(root, manifest.doorward, modules);
  return { root, isClone, isEsm: manifest.type === 'module', extensions };
}

function packageAbove(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : packageAbove(above);
}

function readManifest(root: string): Manifest {
  if (!existsSync(join(root, 'package.json'))) return {};
  try {
    return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  } catch (cause) {
    throw new CommandFault(`${join(root, 'package.json')} cannot be read.`, { cause });
  }
}

function named(root: string, entry: unknown, given?: TeamModules): Extension[] {
  if (entry === undefined && given === undefined) return [];
  const { modules, migrations = MIGRATIONS } = (entry ?? {}) as Record<string, unknown>;
  if ((typeof modules !== 'string' && given === undefined) || typeof migrations !== 'string') {
    throw new CommandFault(
      `package.json does not say where your modules are: ${PACKAGE_ENTRY_EXAMPLE}.`,
    );
  }
  const found = given ?? loadModules(root, join(root, String(modules)));
  return [{ name: 'modules', modules: found, migrations: join(root, migrations) }];
}

/**
 * Loads the modules in `extensions/` of this clone.
 * @param only paths of folders, such as `extensions/invoicing`; none: all
 * @throws CommandFault where a folder does not exist, or exports no modules
 */
export function modulesOfClone(only: readonly string[]): TeamModules {
  const root = packageFolder();
  const names = namesIn(root);
  const wanted = only.map((word) => basename(word));
  const missing = wanted.find((name) => !names.includes(name));
  if (missing !== undefined) throw new CommandFault(`There is no extensions/${missing} here.`);
  return (only.length === 0 ? names : wanted).flatMap((name) => loadExtension(root, name));
}

/** Each folder of `extensions/` exports `modules` from its index. */
function inClone(root: string): Extension[] {
  return namesIn(root).map((name) => ({
    name,
    modules: loadExtension(root, name),
    migrations: join(root, 'extensions', name, 'migrations'),
  }));
}

/** Beside our own files: sources load sources, and built files load built files. */
const BESIDE = join(__dirname, '../../extensions');
const INDEX = `index${extname(__filename)}`;

/** The sources where they exist, since the build may still have deleted extensions; otherwise the build. */
function placeIn(root: string): { readonly folder: string; readonly index: string } {
  const sources = join(root, 'extensions');
  return existsSync(sources)
    ? { folder: sources, index: 'index.ts' }
    : { folder: BESIDE, index: INDEX };
}

function namesIn(root: string): string[] {
  const { folder, index } = placeIn(root);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, index)))
    .toSorted();
}

class ExtensionMigrations {}

/** Adds the migrations that were generated for a module, so that it need not list them. */
function loadExtension(root: string, name: string): TeamModules {
  const modules = loadModules(root, join(BESIDE, name, INDEX));
  const { folder, index } = placeIn(root);
  if (!existsSync(join(folder, name, 'migrations', index))) return modules;
  const file = join(BESIDE, name, 'migrations', INDEX);
  if (!existsSync(file))
    throw new CommandFault(`${relative(root, file)} is not there. Build first.`);
  const { migrations } = load(file, relative(root, file)) as Pick<SchemaPart, 'migrations'>;
  return [...modules, { module: ExtensionMigrations, providers: [provideSchema({ migrations })] }];
}

function loadModules(root: string, file: string): TeamModules {
  const shown = relative(root, file);
  if (!existsSync(file)) throw new CommandFault(`${shown} is not there. Build first.`);
  const modules = exportedList(load(file, shown));
  if (modules !== undefined) return modules;
  throw new CommandFault(
    `${shown} does not export your modules: add \`export const modules = [InvoicingModule]\`.`,
  );
}

/** Loaded by `require`, which also loads ES modules, and TypeScript if a loader is registered for it. */
function load(file: string, shown: string): unknown {
  const require = createRequire(file);
  const ending = extname(file);
  if (ending.endsWith('ts') && require.extensions[ending] === undefined) {
    throw new CommandFault(
      `${shown} is TypeScript: build it, and name the built file in package.json, as in ${PACKAGE_ENTRY_EXAMPLE}.`,
    );
  }
  try {
    return require(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error;
    throw new CommandFault(`${shown} uses await at its top level: remove it.`, {
      cause: error,
    });
  }
}

/** The export `modules`, or the default export, or all exports. */
function exportedList(loaded: unknown): TeamModules | undefined {
  const { modules, default: other } = (loaded ?? {}) as Record<string, unknown>;
  return [modules, other, loaded].find((each): each is TeamModules => Array.isArray(each));
}
