import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AccessFilesService, parseAccessCommand, runAccessCommand } from '../access-files';
import { AppModule } from '../app.module';
import { schemaOfApp } from '../app.schema';
import { CommandFault, type Output } from '../common/command';
import { AppError, SeveralErrors } from '../common/errors';
import { FastExpressAdapter } from '../common/http/fast-express-adapter';
import { UnservedRoutesModule } from '../common/request/guard-scope';
import { loadConfig } from '../config/app-config';
import { AppLogger } from '../config/app-logger';
import { ExistingDatabaseModule, refuseMissing } from '../database/existing-database';
import { type Storage, storageOf } from '../database/storage';
import { requestedHelp, noCommand } from './command-help';
import { migrationCli } from './migration-command-line';
import { parseMigrationCommand } from '../migration-tools';
import { parseTypesCommand, runTypesCommand } from '../sdk-types';
import { failureText } from '../start-failure';
import { readProject } from './team-project';
import type { TeamModules } from '../team-modules';

const DONE = 0;
const FAULT = 1;

const OUTPUT: Output = {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  colours: process.stdout.isTTY && process.stdout.hasColors(),
};

/** The reader of the output may stop, as `head` does: the exit code still tells the result. */
function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/**
 * Runs the command of `process.argv`: `doorward access …`, `doorward migration:…` or `doorward types`, with settings
 * from the environment; `--help` shows the usage. An error is printed; the result is the exit code of the process (`process.exitCode`).
 * @param modules the team's own modules; by default those of the file that the nearest package.json names under
 * `doorward`
 */
export async function cli(modules?: TeamModules): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosed);
  try {
    process.exitCode = await run(process.argv.slice(2), modules);
  } catch (error) {
    const shown = messageOf(error);
    OUTPUT.err(shown instanceof Error ? (shown.stack ?? shown.message) : String(shown));
    process.exitCode = FAULT;
  }
}

async function run(words: readonly string[], modules?: TeamModules): Promise<number> {
  const help = requestedHelp(words);
  if (help !== undefined) {
    OUTPUT.out(help);
    return DONE;
  }
  const [word, ...args] = words;
  if (word === 'access') {
    const command = parseAccessCommand(args);
    return onApplication(modulesOf(modules), (app) =>
      runAccessCommand(app.get(AccessFilesService), command, OUTPUT),
    );
  }
  if (word?.startsWith('migration:')) {
    const command = parseMigrationCommand(word, args);
    const config = loadConfig();
    const project = readProject(process.cwd(), modules);
    if (command.verb !== 'generate') warnOfEmbedded(storageOf(config));
    return migrationCli(config, command, project, OUTPUT);
  }
  if (word === 'types') {
    const command = parseTypesCommand(args);
    const schema = await schemaOfApp(loadConfig(), modulesOf(modules));
    return runTypesCommand(command, schema, OUTPUT);
  }
  throw noCommand(word);
}

/** An application may name its database only in code, which a command does not read. */
function warnOfEmbedded(storage: Storage): void {
  if (storage.kind !== 'folder') return;
  OUTPUT.err(
    `This is the embedded database in ${storage.path}: the environment has no DATABASE_URL.`,
  );
}

function modulesOf(given: TeamModules | undefined): TeamModules {
  if (given !== undefined) return given;
  const { extensions } = readProject(process.cwd());
  return extensions.flatMap(({ modules }) => modules);
}

async function onApplication(
  modules: TeamModules,
  work: (app: NestExpressApplication) => Promise<number>,
): Promise<number> {
  const app = await open(modules);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** Logs go to stderr: the standard output has the result, which programs may read. */
const FAULTS = { level: 'error', format: 'pretty' } as const;

/** The whole application, with every collection and hook; it does not listen on a port. */
async function open(modules: TeamModules): Promise<NestExpressApplication> {
  const config = loadConfig();
  // Before anything is created, such as the secret in the data folder.
  refuseMissing(storageOf(config));
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config, [...modules, ExistingDatabaseModule, UnservedRoutesModule]),
    new FastExpressAdapter(),
    { bodyParser: false, abortOnError: false, logger: new AppLogger(FAULTS, process.stderr) },
  );
  try {
    await prepare(app);
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}

/**
 * Initialises as a start does, without what a start then does: no administrator is created, no job runs, no rule is put
 * to sleep. The framework has no public method for this part alone.
 */
const prepare = (app: NestExpressApplication): Promise<void> =>
  (app as unknown as { callInitHook: () => Promise<void> }).callInitHook();

function messageOf(error: unknown): unknown {
  const isExpected =
    error instanceof CommandFault || error instanceof AppError || error instanceof SeveralErrors;
  return isExpected ? error.message : failureText(error);
}
