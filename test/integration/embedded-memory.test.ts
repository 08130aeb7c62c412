import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Pool } from 'pg';
import { createDataSource } from '../../src/database/data-source';
import { Database } from '../../src/database/database';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const MB = 1024 * 1024;

it('the embedded database does not keep the answers that it has sent in memory', async () => {
  const schema = { entities: [], migrations: [] };
  const dataSource = await createDataSource({ kind: 'memory' }, schema).initialize();
  const database = new Database((dataSource.driver as unknown as { master: Pool }).master);
  const read = (): Promise<object[]> =>
    database.query(`SELECT repeat('x', 100000) AS text FROM generate_series(1, 50)`);
  const held = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  await read();
  const before = held();
  for (let time = 0; time < 20; time += 1) expect(await read()).toHaveLength(50);
  // A hundred answers have been read.
  expect(held() - before).toBeLessThan(30 * MB);
  await dataSource.destroy();
});
