import { once } from 'node:events';
import { createServer } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type AppConfig, loadConfig } from './config/app-config';
import { StartupError } from './config/startup-error';
import { createAppOf } from './create-app';
import { failureText } from './start-failure';
import { closeOnSignal, endStartOnSignal } from './stop-signals';
import type { TeamModules } from './team-modules';

/**
 * Starts the service and listens, with settings from the environment. An error is printed and ends the process with
 * exit code 1; SIGTERM ends it with 0: at once during the start, later when open requests are answered.
 *
 *     void start([InvoicingModule]);
 *
 * @param modules the team's own modules
 */
export async function start(modules: TeamModules = []): Promise<void> {
  await startWith(() => modules);
}

/** The same with modules that are loaded first, which may fail too. */
export async function startWith(load: () => TeamModules): Promise<void> {
  try {
    await run(load());
  } catch (error) {
    console.error(failureText(error));
    process.exit(1);
  }
}

async function run(modules: TeamModules): Promise<void> {
  const leaveSignals = endStartOnSignal();
  const config = loadConfig();
  await refuseUnavailable(config);
  const app = await createAppOf(config, modules);
  await listen(app, config);
  leaveSignals();
  closeOnSignal(app, config);
  await announce(app, config);
}

/** Tries the port and host before anything is written; connections meanwhile are closed. */
async function refuseUnavailable(config: AppConfig): Promise<void> {
  const probe = createServer((socket) => socket.destroy());
  try {
    probe.listen(config.port, config.host);
    await once(probe, 'listening');
  } catch (error) {
    throw asStartupError(error, config);
  }
  probe.close();
  await once(probe, 'close');
}

const UNAVAILABLE: readonly unknown[] = [
  'EADDRINUSE',
  'EADDRNOTAVAIL',
  'EACCES',
  'EINVAL',
  'EAFNOSUPPORT',
  'ENOTFOUND',
  'EAI_AGAIN',
];

function asStartupError(error: unknown, { host, port }: AppConfig): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (!UNAVAILABLE.includes(code)) return error;
  return new StartupError(`Cannot listen on ${host}:${port} (${code}). Set PORT or HOST.`);
}

async function listen(app: NestExpressApplication, config: AppConfig): Promise<void> {
  try {
    await app.listen(config.port, config.host);
  } catch (error) {
    await app.close();
    throw asStartupError(error, config);
  }
}

async function announce(app: NestExpressApplication, config: AppConfig): Promise<void> {
  const url = await app.getUrl();
  console.log(
    `Doorward listens on ${url} (${config.databaseUrl ? 'PostgreSQL' : `data in ${config.dataDir}`})`,
  );
}
