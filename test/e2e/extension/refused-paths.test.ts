import { Controller, Get, Next, type Type } from '@nestjs/common';
import { Collection, Field, Public } from 'doorward';
import type { NextFunction } from 'express';
import { makeTestStorage, refusalOf, startTestApp, type TestStorage } from '../../support';
import { Bill, type Host, moduleOf, open, REFUSED, routes } from './refused-paths.cases';

@Collection('receipts')
class Receipt {
  @Field.key('integer') id!: number;
}

@Controller('passing')
class PassingController {
  @Get('{*path}')
  @Public()
  all(@Next() next: NextFunction): void {
    next();
  }

  @Get('on')
  @Public()
  on(): object {
    return { data: 'reached' };
  }
}

let own: TestStorage;

beforeAll(async () => {
  own = await makeTestStorage();
});
afterAll(() => own.drop());

const starting = (imports: Type[], host: Host) =>
  startTestApp({
    ...{ host, storage: own.storage, logger: false, synchronize: true },
    imports,
  });

describe.each(['own', 'stock'] as const)('The service (%s) does not start with', (host) => {
  let refusal: Error;
  const messages = (): string[] => refusal.message.split('\n');

  beforeAll(async () => {
    const modules = REFUSED[host].map(([, module]) => module);
    refusal = await refusalOf(starting(modules, host));
  });

  it.each(REFUSED[host])('%s', (_what, _module, sentences) => {
    expect(messages().filter((each) => sentences.includes(each))).toEqual(sentences);
  });

  it('exactly these, reported in one refusal', () => {
    expect(refusal.name).toBe('RegistrationError');
    const all = REFUSED[host].flatMap(([, , sentences]) => sentences);
    expect(messages().toSorted()).toEqual(all.toSorted());
  });
});

describe('The service starts with', () => {
  it('routes that only look alike, and routes that pass requests on', async () => {
    const module = moduleOf(
      [open([Bill]), open([Bill]), open([Receipt], { path: 'items/bills/of/receipts' })],
      routes('Early', 'early', 'GET newest', 'GET :id', 'POST :id', 'GET :id/:part'),
      PassingController,
    );
    const app = await starting([module], 'own');
    const reply = await fetch(`${app.url}/passing/on`);
    expect(await reply.json()).toEqual({ data: 'reached' });
    await app.close();
  });

  it("a team's own routes unchanged, in their application", async () => {
    const module = moduleOf([], routes('Theirs', 'late', 'GET :id', 'GET x'));
    const app = await starting([module], 'stock');
    expect((await fetch(`${app.url}/late/x`)).status).toBe(200);
    await app.close();
  });
});
