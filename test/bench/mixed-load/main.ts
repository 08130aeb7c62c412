import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startNginx } from '../../support/balancers';
import { freePort } from '../../support/free-port';
import { startPooler } from '../../support/poolers';
import { makePeople, Traffic } from '../../support/traffic';
import { residentMegabytes } from '../machine';
import type { Running } from '../running';
import { ADMINISTRATOR, startInstance } from '../servers';
import { Cluster, type Ending } from './cluster';
import { countsOf, type Minute, minuteTable, since } from './minute';

const RESULTS = join(__dirname, '../../../bench-results');
const WRITERS = 8;
/** The pause between an answer and the user's next request, in ms. */
const PAUSE = 10;
const THIRD = 20_000;
const MAX_RSS = 180;
/** The minutes until an instance has filled its caches. */
const WARM = 2;

/** Two instances behind nginx, with their own PostgreSQL. */
interface Setting {
  readonly cluster: Cluster;
  readonly traffic: Traffic;
  readonly instances: Running[];
  readonly launch: (at: number) => Promise<void>;
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    // Whether PgBouncer is between the instances and PostgreSQL.
    pooler: { type: 'boolean', default: false },
  },
});

async function main(minutes: number): Promise<void> {
  const cluster = await Cluster.start();
  const closers: (() => Promise<unknown> | undefined)[] = [() => cluster.stop()];
  try {
    const ports: [number, number] = [await freePort(), await freePort()];
    const balancer = await startNginx(ports);
    closers.push(() => balancer.close());
    const pooler = values.pooler ? await startPooler(cluster.url) : undefined;
    closers.push(() => pooler?.close());
    const url = pooler?.url ?? cluster.url;
    const past = { DATABASE_STATEMENT_NAMES: 'false', DATABASE_DIRECT_URL: cluster.url };
    const instances: Running[] = [];
    closers.push(() => Promise.all(instances.map((instance) => instance.stop())));
    const launch = async (at: number): Promise<void> => {
      instances[at] = await startInstance(url, ports[at] ?? 0, pooler && past);
    };
    await Promise.all([launch(0), launch(1)]);
    const people = await makePeople(balancer.url, ADMINISTRATOR, WRITERS);
    const traffic = new Traffic([balancer.url], people, PAUSE);
    const all = await runMinutes({ cluster, traffic, instances, launch }, minutes);
    for (const port of ports) await traffic.review(`http://127.0.0.1:${port}`);
    report(all, traffic);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

async function runMinutes(setting: Setting, minutes: number): Promise<Minute[]> {
  const { traffic, instances } = setting;
  const all: Minute[] = [];
  traffic.start();
  for (let minute = 1; minute <= minutes; minute += 1) {
    const before = countsOf(traffic.tally);
    // Both are killed, but one lives almost to the end, to show how its memory develops.
    const events = await disturb(setting, minute === minutes ? 0 : 1, endingsIn(minute, minutes));
    const rss = instances.map(({ pid }) => Math.round(residentMegabytes(pid)));
    all.push({ minute, ...since(before, countsOf(traffic.tally)), rss, events });
    console.error(minuteTable(all).split('\n').at(-1));
  }
  await traffic.stop();
  return all;
}

/** After one third and after two of the time. */
const endingsIn = (minute: number, minutes: number): Ending[] =>
  (['fast', 'immediate'] as const).filter(
    (_, at) => minute === Math.max(1, Math.round(((at + 1) * minutes) / 3)),
  );

/** One minute. @returns what happened */
async function disturb(setting: Setting, at: number, endings: readonly Ending[]): Promise<string> {
  const began = Date.now();
  const { instances, launch, cluster } = setting;
  await sleep(THIRD);
  const rss = instances.map(({ pid }) => Math.round(residentMegabytes(pid)))[at] ?? 0;
  await instances[at]?.kill();
  await launch(at);
  await sleep(THIRD);
  for (const ending of endings) await cluster.restart(ending);
  await sleep(Math.max(0, began + 3 * THIRD - Date.now()));
  const restarts = endings.map((ending) => `, PostgreSQL restarted (${ending})`);
  return `instance ${at + 1} killed (${rss} MB)${restarts.join('')}`;
}

function report(minutes: readonly Minute[], { tally, rows }: Traffic): void {
  console.log(minuteTable(minutes));
  const { requests, acknowledged, unknown, compared, faultCount: wrong, faults } = tally;
  console.log(
    `${requests} requests, ${compared} answers compared, ${acknowledged} writes acknowledged, ${unknown} unanswered, ${rows} rows in the end: ${wrong} wrong or lost`,
  );
  for (const fault of faults) console.log(`  ${fault}`);
  console.log(
    `${tally.lags.length} answers went by what another instance had just changed, the longest for ${Math.round(Math.max(0, ...tally.lags))} ms`,
  );
  const [warm, ...later] = minutes.slice(WARM, -1).map(({ rss }) => rss[0] ?? 0);
  if (warm !== undefined) {
    const most = Math.max(warm, ...later);
    console.log(
      `RSS of the instance that lived: ${warm} MB after ${WARM + 1} minutes, ${most} at the most, ${later.at(-1) ?? warm} in the end (at most ${MAX_RSS})`,
    );
  }
  const answers = Object.fromEntries(
    [...tally.answers].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  console.log(JSON.stringify(answers));
  const at = new Date().toISOString();
  const { lags } = tally;
  const result = {
    at,
    lags,
    requests,
    acknowledged,
    unknown,
    compared,
    wrong,
    faults,
    answers,
    minutes,
  };
  mkdirSync(RESULTS, { recursive: true });
  const file = join(RESULTS, `mixed-${at.replace(/[:.]/g, '-')}.json`);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  console.log(file);
  if (wrong > 0) process.exitCode = 1;
}

const minutes = Number(values.minutes);
if (!Number.isInteger(minutes) || minutes < 1) {
  throw new Error('--minutes must be a whole number above 0');
}
main(minutes).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
