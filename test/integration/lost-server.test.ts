import { setTimeout as sleep } from 'node:timers/promises';
import {
  makeTestStorage,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  describeOnPostgres,
} from '../support';
import { SilentProxy } from './instances/silent-proxy';

const HANGS = 20_000;
const AT_ONCE = 12;

let proxy: SilentProxy;
let test: TestApp;
let token: string;
let drop: () => Promise<void>;

jest.setTimeout(60_000);

/** The embedded server is in the process, and cannot be lost without it. */
const ask = async (): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(HANGS);
  return (await fetch(`${test.url}/roles`, { headers, signal })).status;
};

const askAtOnce = (): Promise<number[]> => Promise.all(Array.from({ length: AT_ONCE }, ask));

describeOnPostgres('a server that vanishes without closing its connections', () => {
  beforeAll(async () => {
    const made = await makeTestStorage();
    ({ drop } = made);
    proxy = await SilentProxy.open('url' in made.storage ? made.storage.url : '');
    test = await startTestApp({
      storage: { kind: 'postgres', url: proxy.url },
      env: { STATEMENT_TIMEOUT: '1s' },
      logger: false,
    });
    token = (await signIn(test, TEST_ADMIN)).access_token;
  });

  afterAll(async () => {
    await test?.close();
    proxy?.close();
    await drop?.();
  });

  it('is noticed by the silence of the listener: its connections are no longer used', async () => {
    expect(await askAtOnce()).toEqual(Array(AT_ONCE).fill(200));
    proxy.loseServer();
    await proxy.isAskedAgain();
    await sleep(500);
    expect(await askAtOnce()).toEqual(Array(AT_ONCE).fill(200));
  });

  it('does not make requests wait meanwhile, however long the kernel would', async () => {
    expect(await askAtOnce()).toEqual(Array(AT_ONCE).fill(200));
    proxy.loseServer();
    expect(await askAtOnce()).toContain(503);
    expect(await askAtOnce()).toEqual(Array(AT_ONCE).fill(200));
  });
});
