import { Test } from '@nestjs/testing';
import { AppModule } from '../../../src/app.module';
import { loadConfig } from '../../../src/config/app-config';
import { QueueTimes } from '../../../src/queue';
import { QUICK_TIMES } from '../../support/mail-tests';

/** An instance of the service that serves no requests: it sends waiting mails until it is killed. */
async function main(): Promise<void> {
  const module = await Test.createTestingModule({ imports: [AppModule.forRoot(loadConfig())] })
    .overrideProvider(QueueTimes)
    .useValue(QUICK_TIMES)
    .compile();
  await module.createNestApplication({ logger: false }).init();
  process.stdout.write('works\n');
  // The service's timers do not keep the process alive.
  setInterval(() => undefined, 1_000);
}

void main();
