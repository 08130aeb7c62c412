import { join } from 'node:path';
import { schemaOfApp, uncheckedSchemaOfApp } from '../app.schema';
import { CommandFault, type Output } from '../common/command';
import type { AppConfig } from '../config/app-config';
import { storageOf } from '../database/storage';
import {
  generateMigration,
  type MigrationContext,
  type MigrationTarget,
  type MigrationCommand,
  MigrationFolder,
  revertMigration,
  runMigrations,
  printStatus,
} from '../migration-tools';
import { type Extension, PACKAGE_ENTRY_EXAMPLE, type Project } from './team-project';

type Generation = Extract<MigrationCommand, { verb: 'generate' }>;

const NOTHING = 'The migrations already match the entities; there is nothing to write.';
const OWN = 'src/database/migrations';

/** @returns the exit code */
export async function migrationCli(
  config: AppConfig,
  command: MigrationCommand,
  project: Project,
  output: Output,
): Promise<number> {
  if (command.verb === 'generate') return generate(config, command, project, output);
  const context = await contextOf(config, project.extensions);
  switch (command.verb) {
    case 'run':
      return runMigrations(context, output);
    case 'revert':
      return revertMigration(context, command.service ? 'service' : 'modules', output);
    case 'status':
      return printStatus(context, output);
  }
}

/** The entities of all, so that each may refer to the others'. */
const contextOf = async (
  config: AppConfig,
  extensions: readonly Extension[],
): Promise<MigrationContext> => ({
  storage: storageOf(config),
  schema: await schemaOfApp(
    config,
    extensions.flatMap(({ modules }) => modules),
  ),
});

/** In a clone, differences of the service itself come first: an extension's migration must not contain them. */
async function generate(
  config: AppConfig,
  command: Generation,
  project: Project,
  output: Output,
): Promise<number> {
  const wanted = wantedOf(command, project);
  const written =
    (project.isClone && (await generateOwn(config, command, project, output))) ||
    (wanted.length > 0 && (await generateFor(config, command, project, wanted, output)));
  if (!written) output.out(NOTHING);
  return 0;
}

function wantedOf({ extension }: Generation, project: Project): readonly Extension[] {
  const { extensions, isClone } = project;
  if (extensions.length === 0 && !isClone) {
    throw new CommandFault(
      `package.json does not name your modules: add ${PACKAGE_ENTRY_EXAMPLE}.`,
    );
  }
  if (extension === undefined) return extensions;
  const found = isClone ? extensions.filter(({ name }) => name === extension) : [];
  if (found.length === 0) throw new CommandFault(`There is no extensions/${extension} here.`);
  return found;
}

async function generateOwn(
  config: AppConfig,
  command: Generation,
  { root, isEsm }: Project,
  output: Output,
): Promise<boolean> {
  const folder = new MigrationFolder(join(root, OWN), isEsm);
  const target = { name: 'the service', folder, isListed: false, others: new Set() };
  return generateMigration(await contextOf(config, []), [target], command, output);
}

async function generateFor(
  config: AppConfig,
  command: Generation,
  { extensions, isClone, isEsm }: Project,
  wanted: readonly Extension[],
  output: Output,
): Promise<boolean> {
  const entities = new Map<Extension, ReadonlySet<unknown>>();
  for (const each of extensions) {
    // A single extension has no others.
    if (extensions.length > 1) entities.set(each, await entitiesOf(config, each));
  }
  const targets = wanted.map((each): MigrationTarget => {
    const folder = new MigrationFolder(each.migrations, isEsm);
    const others = entitiesOfOthers(each, entities);
    return { name: each.name, folder, isListed: !isClone, others };
  });
  return generateMigration(await contextOf(config, extensions), targets, command, output);
}

async function entitiesOf(
  config: AppConfig,
  { modules }: Extension,
): Promise<ReadonlySet<unknown>> {
  const own = await uncheckedSchemaOfApp(config, []);
  const all = await uncheckedSchemaOfApp(config, modules);
  return new Set(all.entities.filter((entity) => !own.entities.includes(entity)));
}

/** An extension may import modules of another, whose entities are still the other's. */
function entitiesOfOthers(
  target: Extension,
  entities: ReadonlyMap<Extension, ReadonlySet<unknown>>,
): ReadonlySet<unknown> {
  const mine = entities.get(target) ?? new Set();
  const others = [...entities].filter(([each]) => each !== target).map(([, theirs]) => theirs);
  return new Set(
    others.flatMap((theirs) => {
      const isOnMine = [...mine].every((entity) => theirs.has(entity));
      return [...theirs].filter((entity) => !isOnMine || !mine.has(entity));
    }),
  );
}
