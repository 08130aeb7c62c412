import { createDataSource } from '../../src/database/data-source';

/** Writes row after row, and prints the number of each once it is acknowledged. */
async function main(path: string): Promise<void> {
  const schema = { entities: [], migrations: [] };
  const dataSource = await createDataSource({ kind: 'folder', path }, schema).initialize();
  await dataSource.query('CREATE TABLE IF NOT EXISTS rows (id serial PRIMARY KEY, pad text)');
  for (;;) {
    const sql = "INSERT INTO rows (pad) VALUES (repeat('x', 500)) RETURNING id";
    const [row] = await dataSource.query<{ id: number }[]>(sql);
    process.stdout.write(`kept ${row?.id}\n`);
  }
}

void main(process.argv[2] ?? '');
