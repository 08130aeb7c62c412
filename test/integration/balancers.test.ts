import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  as,
  type Balancer,
  describeWith,
  freePort,
  makeTestStorage,
  type Program,
  type StartBalancer,
  startHaproxy,
  startNginx,
  TEST_ADMIN,
  describeOnPostgres,
} from '../support';
import { makePeople, Traffic } from '../support/traffic';
import { CUT_OFF, openUpstream, statusOf } from './instances/upstream';
import { addressOf, SAMPLE, startInstance } from './instances/instances';

jest.setTimeout(240_000);

const BALANCERS: readonly (readonly [string, StartBalancer])[] = [
  ['nginx', startNginx],
  ['haproxy', startHaproxy],
];
const open: Balancer[] = [];

async function opened(start: StartBalancer, ports: readonly [number, number]): Promise<Balancer> {
  const balancer = await start(ports);
  open.push(balancer);
  return balancer;
}

/** Closed even if a test failed, since they would outlive it. */
afterEach(() => Promise.all(open.splice(0).map((balancer) => balancer.close())));

describe('the balancers of deploy/', () => {
  for (const [name, start] of BALANCERS) {
    describeWith([name], `${name}, whatever is behind it`, () => {
      withUpstreams(start);
    });
  }
});

// The embedded database has only one instance.
describeOnPostgres('two instances', () => {
  let drop: () => Promise<void>;
  let ports: [number, number];
  let programs: Program[];
  let launch: (at: number) => Promise<void>;

  beforeAll(async () => {
    const made = await makeTestStorage();
    ({ drop } = made);
    const url = 'url' in made.storage ? made.storage.url : '';
    ports = [await freePort(), await freePort()];
    programs = [];
    launch = async (at) => {
      const env = {
        ...{ DATABASE_URL: url, PORT: `${ports[at] ?? 0}`, TRUST_PROXY: '1' },
        // As in deploy/.
        SHUTDOWN_DELAY: '2s',
      };
      const program = startInstance(env, SAMPLE);
      programs[at] = program;
      await addressOf(program);
    };
    await Promise.all([launch(0), launch(1)]);
  });

  afterAll(async () => {
    for (const { child } of programs) child.kill('SIGTERM');
    await Promise.all(programs.map((program) => program.ends()));
    await drop();
  });

  for (const [name, start] of BALANCERS) {
    describeWith([name], `behind ${name}`, () => {
      /** Ends one under load and starts it again. @returns the traffic, after everything was read again from both */
      const endOne = async (signal: NodeJS.Signals): Promise<Traffic> => {
        const balancer = await opened(start, ports);
        const people = await makePeople(balancer.url, TEST_ADMIN, 5);
        const traffic = new Traffic([balancer.url], people, 2);
        traffic.start();
        await sleep(2_000);
        programs[0]?.child.kill(signal);
        await programs[0]?.ends();
        await sleep(1_000);
        await launch(0);
        await sleep(2_000);
        await traffic.stop();
        for (const port of ports) await traffic.review(`http://127.0.0.1:${port}`);
        return traffic;
      };

      it('lose no request when one of them is stopped', async () => {
        const { tally } = await endOne('SIGTERM');
        expect(tally.faults).toEqual([]);
        const unanswered = [...tally.answers].filter(([kind]) => / (cut|50\d)$/.test(kind));
        expect(unanswered).toEqual([]);
        expect(tally.acknowledged).toBeGreaterThan(20);
      });

      it('lose no acknowledged write when one is killed, and run none twice', async () => {
        const { tally } = await endOne('SIGKILL');
        expect(tally.faults).toEqual([]);
        // At most the requests under way: one of each user, two of the reader.
        const unanswered = ['cut', '502', '503', '504'].map((kind) => tally.ending(kind));
        expect(unanswered.reduce((sum, count) => sum + count)).toBeLessThan(12);
        expect(tally.acknowledged).toBeGreaterThan(20);
      });

      it('count attempts by the address that the balancer sees, whatever the client sends', async () => {
        const balancer = await opened(start, ports);
        const login = { email: TEST_ADMIN.email, password: TEST_ADMIN.password };
        const client = as({ url: balancer.url });
        const headers = { 'x-forwarded-for': '203.0.113.7' };
        const signedIn = await client.send<{ access_token: string }>(
          ...(['POST', '/auth/login', login, headers] as const),
        );
        const admin = as({ url: balancer.url }, signedIn.data.access_token);
        const entries = await admin.get<{ ip: string }[]>(
          '/activity?filter[action][_eq]=login&sort=-id&limit=1&fields=ip',
        );
        expect(entries.data).toEqual([{ ip: '127.0.0.1' }]);
      });
    });
  }
});

const METHODS = ['GET', 'SEARCH', 'POST', 'PATCH', 'DELETE'] as const;

/** The service takes 16 kB of address and headers, to which a balancer adds a few lines. */
const LONG = 'x'.repeat(15_900);
/** Of an instance whose database is busy (ms). */
const SLOW_CHECK = 1_500;

function withUpstreams(start: StartBalancer): void {
  it('forwards the longest addresses and headers that the service takes', async () => {
    const both = [await openUpstream(() => 200), await openUpstream(() => 200)] as const;
    const balancer = await opened(start, [both[0].port, both[1].port]);
    const address = await fetch(`${balancer.url}/items?search=${LONG}`);
    const header = await fetch(`${balancer.url}/items`, { headers: { 'x-long': LONG } });
    expect([address.status, header.status]).toEqual([200, 200]);
    for (const { close } of both) close();
  });

  it('keeps instances whose health check takes long', async () => {
    const both = [
      await openUpstream(() => 200, SLOW_CHECK),
      await openUpstream(() => 200, SLOW_CHECK),
    ] as const;
    const balancer = await opened(start, [both[0].port, both[1].port]);
    // nginx checks nothing.
    const isChecked = start === startHaproxy;
    do {
      expect(await statusOf(balancer.url, 'GET')).toBe(200);
      await sleep(100);
    } while (isChecked && both.some(({ checks }) => checks.answered + checks.aborted < 3));
    expect(both.map(({ checks }) => checks.aborted)).toEqual([0, 0]);
    for (const { close } of both) close();
  });

  it('forwards to both, by every method, and names the client itself', async () => {
    const both = [await openUpstream(() => 200), await openUpstream(() => 200)] as const;
    const balancer = await opened(start, [both[0].port, both[1].port]);
    for (const method of [...METHODS, ...METHODS]) {
      const response = await fetch(`${balancer.url}/items`, {
        ...{ method, headers: { 'x-forwarded-for': '203.0.113.7' } },
        ...(method !== 'GET' && { body: '{}' }),
      });
      expect([response.status, await response.text()]).toEqual([200, method]);
    }
    for (const { asked, close } of both) {
      expect(asked.length).toBeGreaterThan(2);
      const addresses = new Set(asked.map(({ headers }) => headers['x-forwarded-for']));
      expect([...addresses]).toEqual(['127.0.0.1']);
      // The service compares it with the origin of requests with cookies.
      const hosts = new Set(asked.map(({ headers }) => headers.host));
      expect([...hosts]).toEqual([new URL(balancer.url).host]);
      close();
    }
  });

  it('tries the other if one breaks off a read, and sends no write twice', async () => {
    const failing = await openUpstream(() => undefined);
    const sound = await openUpstream(() => 200);
    const balancer = await opened(start, [failing.port, sound.port]);
    for (const method of METHODS) {
      const statuses = new Set<number>();
      const before = failing.asked.length + sound.asked.length;
      let sent = 0;
      // Until the failing one gets a request: after each fault it gets none for some time.
      const reached = failing.asked.length;
      while (failing.asked.length === reached) {
        statuses.add(await statusOf(balancer.url, method));
        sent += 1;
        await sleep(50);
      }
      const reads = method === 'GET' || method === 'SEARCH';
      const arrived = failing.asked.length + sound.asked.length - before;
      const seen = { method, statuses: [...statuses], repeated: arrived - sent };
      if (reads) expect(seen).toEqual({ method, statuses: [200], repeated: 1 });
      else expect(seen).toMatchObject({ method, repeated: 0 });
      if (!reads) expect(statuses).toContain(CUT_OFF);
    }
    failing.close();
    sound.close();
  });

  it('never repeats a callback of a provider: its code can be used once', async () => {
    const asked: (string | undefined)[] = [];
    const breakOff = ({ url }: { readonly url?: string | undefined }): undefined =>
      void asked.push(url);
    const failing = [await openUpstream(breakOff), await openUpstream(breakOff)] as const;
    for (const path of ['/auth/login/one/callback?code=a', '/AUTH/login/one/callback/?code=b']) {
      // A new balancer, which has seen no faults yet.
      const balancer = await opened(start, [failing[0].port, failing[1].port]);
      expect(await statusOf(balancer.url, 'GET', path)).toBe(CUT_OFF);
      expect(asked.splice(0)).toEqual([path]);
    }
    for (const { close } of failing) close();
  });

  it('tries the other if one does not listen, for writes as well', async () => {
    const sound = await openUpstream(() => 200);
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const requests = METHODS.map((method) => [method, '/items'] as const);
    for (const [method, path] of [...requests, ['GET', '/auth/login/one/callback'] as const]) {
      // A new balancer does not know about it yet, and tries the first one.
      const balancer = await opened(start, [port, sound.port]);
      expect([method, await statusOf(balancer.url, method, path)]).toEqual([method, 200]);
    }
    sound.close();
  });
}
