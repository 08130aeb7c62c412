import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module';
import { setUpApp } from './app.setup';
import { FastExpressAdapter } from './common/http/fast-express-adapter';
import { type AppConfig, loadConfig } from './config/app-config';
import { AppLogger } from './config/app-logger';
import type { Settings } from './config/settings';

type Modules = readonly (Type | DynamicModule)[];

/** The service's own application, as `start` runs it, with the modules of a team. */
export async function createAppOf(
  config: AppConfig,
  modules: Modules,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config, modules),
    new FastExpressAdapter(),
    { bodyParser: false, abortOnError: false, logger: new AppLogger(config.log) },
  );
  setUpApp(app, config);
  return app;
}

export interface CreateAppOptions {
  /** Settings by the names of their environment variables, before whose values they go. */
  readonly settings?: Settings;
}

/**
 * The same without listening, for whoever sets more on it, or listens elsewhere. What is wrong with the settings or the
 * modules is thrown: a `StartupError` or `RegistrationError` says what to do.
 */
export async function createApp(
  modules: Modules = [],
  { settings = {} }: CreateAppOptions = {},
): Promise<NestExpressApplication> {
  return createAppOf(loadConfig(settings), modules);
}
