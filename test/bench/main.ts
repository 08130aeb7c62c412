import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { Api } from './api';
import { BenchData } from './bench-data';
import { createDatabase } from './bench-database';
import type { Figures } from './figures';
import type { Line, PeerName } from './line';
import { LINES } from './lines';
import { pinSelf, residentMegabytes, twoCores } from './machine';
import { measure, type Setting } from './measure';
import { type Options, readOptions } from './options';
import type { Running } from './running';
import { startFloor, startPeer, startService } from './servers';
import { table } from './table';

const RESULTS = join(__dirname, '../../bench-results');
const MAX_BOOT = 2_000;
const MAX_RSS = 180;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const lines = linesOf(options);
  const cores = twoCores();
  pinSelf(cores.asking);
  const database = await createDatabase();
  try {
    // The first start creates the tables; the duration of a start is measured with existing tables.
    await (await startService(database.url, cores.measured)).stop();
    const data = await BenchData.open(database.url);
    const service = await startService(database.url, cores.measured);
    const floor = await startFloor(database.url, cores.measured);
    const peers = await startPeers(lines, database.url, cores.measured);
    const api = new Api(service.url);
    const setting = { data, service, floor, peers, api, databaseUrl: database.url };
    try {
      report(await measureAll(lines, setting, options), setting, options);
    } finally {
      const servers = [service, floor, ...peers.values()];
      await Promise.all([...servers.map((server) => server.stop()), data.close()]);
    }
  } finally {
    await database.drop();
  }
}

function linesOf({ only }: Options): Line[] {
  const unknown = only.find((name) => !LINES.some((line) => line.name === name));
  if (unknown !== undefined) throw new Error(`There is no line ${unknown}`);
  return LINES.filter(({ name }) => only.length === 0 || only.includes(name));
}

async function startPeers(
  lines: readonly Line[],
  databaseUrl: string,
  core: number,
): Promise<ReadonlyMap<PeerName, Running>> {
  const names = new Set(lines.flatMap(({ beside }) => beside?.peer ?? []));
  const started = new Map<PeerName, Running>();
  for (const name of names) started.set(name, await startPeer(name, databaseUrl, core));
  return started;
}

async function measureAll(
  lines: readonly Line[],
  setting: Setting,
  options: Options,
): Promise<Figures[]> {
  const all: Figures[] = [];
  for (const line of lines) {
    console.error(`${line.work} …`);
    try {
      all.push(await measure(line, setting, options, all));
    } catch (error) {
      // The other lines took minutes, so they are reported nevertheless.
      console.error(error);
      process.exitCode = 1;
    }
  }
  return all;
}

function report(lines: readonly Figures[], { service }: Setting, options: Options): void {
  const boot = Math.round(service.boot);
  const rss = Math.round(residentMegabytes(service.pid));
  console.log(table(lines));
  console.log(
    `boot to first answer ${boot} ms (at most ${MAX_BOOT}), RSS in the end ${rss} MB (at most ${MAX_RSS})`,
  );
  const result = {
    at: new Date().toISOString(),
    node: process.version,
    machine: cpus()[0]?.model ?? 'unknown',
    ...{ options, boot, rss, lines },
  };
  mkdirSync(RESULTS, { recursive: true });
  const file = join(RESULTS, `${result.at.replace(/[:.]/g, '-')}.json`);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  console.log(file);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
