import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  AccessFiles,
  CommandFault,
  type Output,
  parseAccessCommand,
  runAccessCommand,
  USAGE,
} from './access-files';
import { AppModule } from './app.module';
import { AppError, SeveralErrors } from './common/errors';
import { FastExpressAdapter } from './common/http/fast-express-adapter';
import { loadConfig } from './config/app-config';
import { AppLogger } from './config/app-logger';
import { DatabaseAsItIsModule, refuseMissing } from './database/as-it-is';
import { storageOf } from './database/storage';
import { failureText } from './start-failure';

const FAULT = 1;

const OUTPUT: Output = {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  colours: process.stdout.isTTY && process.stdout.hasColors(),
};

/**
 * `doorward access …`, with a team's own modules beside the service's own, as the environment says. Sets the exit code.
 */
export async function cli(modules: readonly (Type | DynamicModule)[] = []): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2), modules);
  } catch (error) {
    const told = toldOf(error);
    OUTPUT.err(told instanceof Error ? (told.stack ?? told.message) : String(told));
    process.exitCode = FAULT;
  }
}

async function run(
  [word, ...args]: readonly string[],
  modules: readonly (Type | DynamicModule)[],
): Promise<number> {
  if (word !== 'access') throw new CommandFault(USAGE);
  const command = parseAccessCommand(args);
  const app = await open(modules);
  try {
    return await runAccessCommand(app.get(AccessFiles), command, OUTPUT);
  } finally {
    await app.close();
  }
}

/** The whole application, so that every collection and hook is there; it listens to nobody. */
async function open(modules: readonly (Type | DynamicModule)[]): Promise<NestExpressApplication> {
  const config = loadConfig();
  // Before anything is made, as the secret in the folder is.
  refuseMissing(storageOf(config));
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config, [...modules, DatabaseAsItIsModule]),
    new FastExpressAdapter(),
    { bodyParser: false, abortOnError: false, logger: new AppLogger('error') },
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
 * What a start prepares, without what it then begins: nobody is made, no job is done, nothing is put to sleep. The
 * framework has no public word for the one without the other.
 */
const prepare = (app: NestExpressApplication): Promise<void> =>
  (app as unknown as { callInitHook: () => Promise<void> }).callInitHook();

function toldOf(error: unknown): unknown {
  const isTold =
    error instanceof CommandFault || error instanceof AppError || error instanceof SeveralErrors;
  return isTold ? error.message : failureText(error);
}
