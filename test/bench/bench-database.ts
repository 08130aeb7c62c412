import { Client } from 'pg';

const SERVER = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** A new database for the bench, on the server of DATABASE_URL. */
export interface BenchDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export async function createDatabase(): Promise<BenchDatabase> {
  const name = `doorward_bench_${process.pid}_${Date.now().toString(36)}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
