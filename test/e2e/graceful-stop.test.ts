import { once } from 'node:events';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Module } from '@nestjs/common';
import { Public } from '../../src/common/request/access.decorators';
import { rawSocket, startTestApp, type TestApp } from '../support';
import type { HttpTimeouts } from '../../src/common/http/http-timeouts';

@Controller('slow')
@Public()
class SlowController {
  asked = 0;

  @Get()
  async slow(): Promise<string> {
    this.asked += 1;
    await sleep(300);
    return 'late';
  }
}

@Module({ controllers: [SlowController] })
class SlowModule {}

const start = (timeouts: Partial<HttpTimeouts>): Promise<TestApp> =>
  startTestApp({ imports: [SlowModule], timeouts, logger: false });

async function get(url: string, agent: Agent): Promise<IncomingMessage> {
  const request = send(url, { agent }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

describe('a server that closes', () => {
  it('resets no request on a connection that was used before, and announces that it closes', async () => {
    const app = await start({ idleGrace: 1_000 });
    const agents = Array.from({ length: 20 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const closeHeaders: (string | undefined)[] = [];
    await Promise.all(agents.map((agent) => get(`${app.url}/server/ping`, agent)));
    const clients = agents.map(async (agent, index) => {
      for (;;) {
        const { headers } = await get(`${app.url}/server/ping`, agent);
        if (headers.connection === 'close') return closeHeaders.push(headers.connection);
        await sleep(index * 5);
      }
    });
    await sleep(100);
    const closed = app.close();
    await Promise.all(clients);
    await closed;
    expect(closeHeaders).toEqual(Array(20).fill('close'));
    for (const agent of agents) agent.destroy();
  });

  it('announces it on pending answers too', async () => {
    const app = await start({});
    const agent = new Agent({ keepAlive: true });
    const answered = get(`${app.url}/slow`, agent);
    while (app.app.get(SlowController).asked === 0) await sleep(5);
    const closed = app.close();
    expect((await answered).headers.connection).toBe('close');
    await closed;
    agent.destroy();
  });

  it('accepts no new connections', async () => {
    const app = await start({ idleGrace: 500 });
    const agent = new Agent({ keepAlive: true });
    await get(`${app.url}/server/ping`, agent);
    const closed = app.close();
    await sleep(50);
    await expect(fetch(`${app.url}/server/ping`, { keepalive: false })).rejects.toThrow();
    await closed;
    agent.destroy();
  });

  it('waits for stuck clients only for a limited time', async () => {
    const app = await start({ drain: 300 });
    const texts = [
      'GET /server/ping HTTP/1.1\r\nHo',
      'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ];
    const stuck = await Promise.all(texts.map((text) => rawSocket(app, text)));
    await sleep(50);
    await app.close();
    await Promise.all(stuck.map(({ ended }) => ended));
  });
});
