import { Api } from './api';
import { ADMINISTRATOR, POLICIES, type BenchData } from './bench-data';
import { type Figures, figuresOf, type Round } from './figures';
import { sameAnswer } from './same-answer';
import type { Line, PeerName, RecordedStatement, Recording } from './line';
import { load } from './load';
import { residentMegabytes } from './machine';
import type { Options } from './options';
import { post } from './request';
import type { Running } from './running';
import { startRecorder } from './servers';

export interface Setting {
  readonly data: BenchData;
  readonly databaseUrl: string;
  readonly service: Running;
  readonly floor: Running;
  readonly peers: ReadonlyMap<PeerName, Running>;
  readonly api: Api;
}

/** Measures one line: warms all servers up, then takes turns with floor, service and peer. */
export async function measure(
  line: Line,
  setting: Setting,
  options: Options,
  others: readonly Figures[],
): Promise<Figures> {
  const { service, floor, api, data } = setting;
  await line.setup(data);
  await dropCaches(api);
  const recording = await record(line, setting.databaseUrl);
  await floor.tell({ line: line.name, recording });
  const peer = line.beside && setting.peers.get(line.beside.peer);
  await peer?.tell({ recording });
  if (peer) await sameAnswer(line, api, peer.url);
  const turn = async (server: Running, seconds: number) =>
    load(server, {
      requests: await line.requests(api, options.connections),
      next: line.next,
      connections: options.connections,
      length: line.each === undefined ? { seconds } : { each: line.each },
      data,
    });
  await turn(floor, options.warmUp);
  await turn(service, options.warmUp);
  if (peer) await turn(peer, options.warmUp);
  const rounds: Round[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const seconds = options.seconds / options.rounds;
    rounds.push({
      floor: await turn(floor, seconds),
      service: await turn(service, seconds),
      ...(peer && { peer: await turn(peer, seconds) }),
    });
  }
  return figuresOf(line, rounds, residentMegabytes(service.pid), others);
}

/** Changes a rule through the service, so that it drops its caches and sees what the set-up wrote by SQL. */
async function dropCaches(api: Api): Promise<void> {
  const rule = { policy: POLICIES.filler, collection: 'service_settings', action: 'share' };
  await api.send(post('/permissions', rule, await api.bearer(ADMINISTRATOR)));
}

/** Records one request of a service that has answered such requests before. */
async function record(line: Line, databaseUrl: string): Promise<Recording> {
  const recorder = await startRecorder(databaseUrl);
  try {
    const api = new Api(recorder.url);
    const [first] = await line.requests(api, 1);
    if (!first) throw new Error(`${line.name} sends nothing`);
    const { authorization } = first.headers ?? {};
    // From here on the caller is cached.
    if (authorization !== undefined) {
      await api.send({ method: 'GET', path: '/permissions/me', headers: { authorization } });
    }
    const warm = line.next ? [] : [first, first];
    for (const request of warm) await api.send(request);
    if (authorization !== undefined) {
      await api.send({ method: 'GET', path: '/permissions/me', headers: { authorization } });
    }
    await recorder.tell<RecordedStatement[]>('forget');
    const answer = await api.send(first);
    return { ...answer, statements: await recorder.tell<RecordedStatement[]>('recall') };
  } finally {
    await recorder.stop();
  }
}
