import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module';
import { setUpApp } from './app.setup';
import { FastExpressAdapter } from './common/http/fast-express-adapter';
import { type AppConfig, loadConfig } from './config/app-config';
import { AppLogger } from './config/app-logger';
import type { Settings } from './config/settings';
import type { TeamModules } from './team-modules';

/** The service's own application, as `start` runs it, with the modules of a team. */
export async function createAppOf(
  config: AppConfig,
  modules: TeamModules,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config, modules),
    new FastExpressAdapter(),
    { bodyParser: false, abortOnError: false, logger: new AppLogger(config.log) },
  );
  setUpApp(app, config);
  return app;
}

/** Options of `createApp`. */
export interface CreateAppOptions {
  /** Settings by the names of their environment variables, which they override: `{ DATABASE_URL: url }`. */
  readonly settings?: Settings;
}

/**
 * The whole service as a Nest application that does not listen yet, so that more can be set on it.
 *
 *     const app = await createApp([InvoicingModule], { settings: { DATABASE_URL: url } });
 *     await app.listen(3000);
 *
 * @param modules the team's own modules
 * @throws StartupError for a wrong setting; RegistrationError, with what to change, for a wrong entity or module
 */
export async function createApp(
  modules: TeamModules = [],
  { settings = {} }: CreateAppOptions = {},
): Promise<NestExpressApplication> {
  return createAppOf(loadConfig(settings), modules);
}
