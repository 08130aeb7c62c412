import type { TestApp } from '../support';

/** Columns that change with every request of a user, refused or not. */
const TOUCHED = ['last_seen', 'last_access'];
/** Refused sign-ins are logged; other refusals are not. */
const LOGGED = `WHERE to_jsonb(t) ->> 'action' <> 'login_failed'`;

interface Table {
  readonly name: string;
  readonly rows: string;
}

/** The stored rows of all tables, read and restored by SQL. */
export class Stored {
  private constructor(
    private readonly app: TestApp,
    private readonly tables: readonly Table[],
    /** The digests of the first rows, which are restored. */
    readonly before: readonly string[] = [],
  ) {}

  static async of(app: TestApp): Promise<Stored> {
    const names = await app.database.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
    );
    const tables: Table[] = [];
    for (const { name } of names) {
      const [found] = await app.database.query<{ rows: string }>(
        `SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]')::text AS rows FROM ${name} t`,
      );
      tables.push({ name, rows: found?.rows ?? '[]' });
    }
    return new Stored(app, tables, await new Stored(app, tables).digests());
  }

  /** A digest of each table: `name digest`. */
  async digests(): Promise<string[]> {
    const touched = TOUCHED.map((column) => `- '${column}'`).join(' ');
    const parts = this.tables.map(
      ({ name }) =>
        `SELECT '${name}' AS name, md5(coalesce(string_agg(row, ',' ORDER BY row), '')) AS digest
         FROM (SELECT (to_jsonb(t) ${touched})::text AS row FROM ${name} t ${name === 'service_activity' ? LOGGED : ''}) rows`,
    );
    const rows = await this.app.database.query<{ name: string; digest: string }>(
      parts.join(' UNION ALL '),
    );
    return rows.map(({ name, digest }) => `${name} ${digest}`);
  }

  /** Restores every table, whatever refers to what. */
  async restore(): Promise<void> {
    await this.app.database.transaction(async (tx) => {
      await tx.query(`SET LOCAL session_replication_role = replica`);
      for (const { name, rows } of this.tables) {
        await tx.query(`DELETE FROM ${name}`);
        await tx.query(
          `INSERT INTO ${name} SELECT * FROM jsonb_populate_recordset(NULL::${name}, $1::jsonb)`,
          [rows],
        );
      }
    });
  }
}
