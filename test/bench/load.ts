import autocannon from 'autocannon';
import type { BenchData } from './bench-data';
import { cpuBetween, cpuOfEach, cpuSeconds, idle } from './machine';
import type { Line } from './line';
import type { Turn } from './figures';
import type { BenchRequest } from './request';
import type { Running } from './running';

/** Longer than the slowest answer: fifty sign-ins share one core. */
const TIMEOUT = 30;

interface Load {
  readonly requests: readonly BenchRequest[];
  readonly next: Line['next'];
  readonly connections: number;
  /** For this many seconds, or until each connection has this many answers. */
  readonly length: { readonly seconds: number } | { readonly each: number };
  readonly data: BenchData;
}

/** Sends as many requests as the server answers in that time. Throws unless all of them succeed. */
export async function load(
  server: Running,
  { requests, next, data, connections, length }: Load,
): Promise<Turn> {
  const asleep = cpuOfEach(await data.backends());
  const before = cpuSeconds(server.pid);
  let connected = 0;
  const result = await autocannon({
    url: server.url,
    connections,
    ...('each' in length ? { amount: connections * length.each } : { duration: length.seconds }),
    timeout: TIMEOUT,
    setupClient: (client) => {
      const request = requests[connected++ % requests.length];
      if (request) client.setRequests([follow(client, request, next)]);
    },
  });
  const used = cpuSeconds(server.pid) - before;
  const asked = cpuBetween(asleep, cpuOfEach(await data.backends()));
  await idle(server.pid);
  const { '2xx': answered, non2xx, errors } = result;
  if (non2xx + errors > 0 || answered === 0) {
    throw new Error(`${answered} answers, ${non2xx} that are no success, ${errors} failures`);
  }
  return {
    perSecond: answered / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: (used * 1_000_000) / answered,
    ...(asked !== undefined && { database: (asked * 1_000_000) / answered }),
  };
}

function follow(
  client: autocannon.Client,
  { method, path, headers, body }: BenchRequest,
  next: Line['next'],
): autocannon.Request {
  return {
    method,
    path,
    headers: { ...headers },
    body,
    ...(next && { onResponse: (_, answer) => client.setBody(next(answer)) }),
  };
}
