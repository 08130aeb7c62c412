import type { LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastExpressAdapter } from '../common/http/fast-express-adapter';
import { memoryStorage } from './memory-image';
import { openTestApp, type TestApp, type TestAppOptions } from './test-app';

export interface StartTestAppOptions extends TestAppOptions {
  /** What is logged; by default faults. */
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
 * @throws RegistrationError, StartupError and what else refuses a start, as `start()` would tell it
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
