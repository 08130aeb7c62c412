import type { LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastExpressAdapter } from '../common/http/fast-express-adapter';
import { memoryStorage } from './memory-image';
import { openTestApp, type TestApp, type TestAppOptions } from './test-app';

/** Options of `startTestApp`. */
export interface StartTestAppOptions extends TestAppOptions {
  /** Nest's log levels that are printed; `['error', 'fatal']` by default. `false`: none. */
  readonly logger?: LogLevel[] | false;
}

/**
 * The whole application, listening, on an empty database in memory that is its own: made by the migrations of the
 * service and of your modules, or of their entities with `synchronize`.
 *
 *     const app = await startTestApp({ imports: [InvoicingModule] });
 *     // …
 *     await app.close();
 *
 * @throws RegistrationError or StartupError where the modules or settings are wrong; also whatever else stops a start
 */
export async function startTestApp(options: StartTestAppOptions = {}): Promise<TestApp> {
  const { logger = ['error', 'fatal'] } = options;
  return openTestApp(options, {
    storage: await memoryStorage(),
    create: (module) =>
      NestFactory.create<NestExpressApplication>(
        module,
        // A test that closes the application does not wait for another request of its own.
        new FastExpressAdapter({ idleGrace: 0 }),
        { bodyParser: false, abortOnError: false, logger },
      ),
  });
}
