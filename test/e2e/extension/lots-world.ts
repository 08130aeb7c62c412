import { seed, type World } from '../../factories';
import { recordWrites, type Reply, startTestApp } from '../../support';
import { SEED, DEMANDS, LotsModule, TRIGGER } from './lots.fixtures';

export type Cells = Readonly<Record<string, unknown>>;

/** For `describe.each`: whether a trigger may change a lot. Only the number of statements depends on it. */
export const TABLES: readonly (readonly [string, boolean])[] = [
  ['of a table without triggers', false],
  ['of a table with one', true],
];

/** Rows of one table, each written alone. */
export interface LotsWorld extends World {
  /** @returns the key */
  put(cells?: Cells, table?: string): Promise<number>;
  stored(id: number, table?: string): Promise<Cells>;
  /** The last entry of the log about a lot. */
  entry(id: number): Promise<Cells | undefined>;
  patch(who: string, id: number, body: unknown, more?: string): Promise<Reply>;
  /** The statements of a write that name a table of lots, in order. */
  writesOf(work: () => Promise<Reply>): Promise<readonly string[]>;
}

/** @param triggered whether a trigger of the database may change a lot before it is stored */
export async function openLotsWorld(triggered: boolean): Promise<LotsWorld> {
  const app = await startTestApp({ imports: [LotsModule], synchronize: true });
  const { database } = app;
  for (const demand of [...DEMANDS, ...(triggered ? TRIGGER : [])]) await database.query(demand);
  const world = await seed(app, SEED);
  return {
    ...world,
    put: async (cells = {}, table = 'lots') => {
      const names = ['title', ...Object.keys(cells)];
      const places = names.map((_, index) => `$${index + 1}`);
      const [row] = await database.query<{ id: number }>(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')}) RETURNING id`,
        ['A lot', ...Object.values(cells)],
      );
      return row?.id ?? 0;
    },
    stored: async (id, table = 'lots') => {
      const [row] = await database.query<Cells>(`SELECT * FROM ${table} WHERE id = $1`, [id]);
      return row ?? {};
    },
    entry: async (id) => {
      const [last] = await database.query<Cells>(
        `SELECT fields, before, after FROM service_activity WHERE collection = 'lots' AND item = $1 ORDER BY id DESC LIMIT 1`,
        [String(id)],
      );
      return last;
    },
    writesOf: async (work) => {
      const writes = recordWrites(database);
      try {
        await work();
        return [...writes.texts, ...writes.tables].filter((text) => text.includes('"lots'));
      } finally {
        writes.stop();
      }
    },
    patch: (who, id, body, more = '') => world.as(who).patch(`/items/lots/${id}${more}`, body),
  };
}

export const faults = ({ body }: Reply): object[] | undefined =>
  (body as { errors?: { extensions: object }[] }).errors?.map(({ extensions }) => extensions);

export const FORBIDDEN = { code: 'FORBIDDEN' };
