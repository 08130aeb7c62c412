import { hash } from 'bcrypt';
import { Client } from 'pg';
import { MEMBER_RULES, type RuleSeed } from './member-rules';

export const ADMINISTRATOR = 'administrator@example.com';
/** Has 50 rules. */
export const MEMBER = 'member@example.com';
/** Has one rule for each action: some users and articles, some of their fields. */
export const READER = 'reader@example.com';
export const PASSWORD = 'tall-ships-carry-salt';
export const BCRYPT_COST = 10;

export const POLICIES = {
  administrator: '00000000-0000-4000-8000-000000000001',
  member: '00000000-0000-4000-8000-000000000002',
  reader: '00000000-0000-4000-8000-000000000003',
  /** Attached to nobody, for rules that only have to exist. */
  filler: '00000000-0000-4000-8000-000000000004',
} as const;
const ROLE = '00000000-0000-4000-8000-000000000009';

export const USERS = 100_000;
export const ARTICLES = 100_000;
const CATEGORIES = 20;
const OWN_ARTICLES = 500;
const BETWEEN = ARTICLES / OWN_ARTICLES;
/** The key of one of the reader's own articles; repeated only after all of them. */
export const ownArticle = (n: number): number => (n % OWN_ARTICLES) * BETWEEN + 1;

const READER_RULE: RuleSeed = {
  collection: 'service_users',
  action: 'read',
  permissions: { _or: [{ status: { _eq: 'active' } }, { id: { _eq: '$CURRENT_USER' } }] },
  fields: ['id', 'email', 'first_name', 'last_name', 'status', 'role'],
};

const ARTICLES_RULES: readonly RuleSeed[] = [
  {
    collection: 'articles',
    action: 'read',
    permissions: { _or: [{ status: { _eq: 'published' } }, { owner: { _eq: '$CURRENT_USER' } }] },
    fields: ['id', 'title', 'body', 'status', 'qty', 'price', 'date_created', 'category', 'owner'],
  },
  {
    collection: 'articles',
    action: 'update',
    permissions: { owner: { _eq: '$CURRENT_USER' } },
    fields: ['title', 'body', 'qty'],
  },
  {
    collection: 'articles',
    action: 'create',
    validation: { status: { _in: ['draft', 'published'] } },
    presets: { owner: '$CURRENT_USER' },
    fields: ['title', 'body', 'status', 'qty', 'price', 'category'],
  },
  { collection: 'categories', action: 'read', fields: ['id', 'name'] },
];

/** The content of the database, written by SQL, since writing it is not measured. */
export class BenchData {
  private constructor(private readonly client: Client) {}

  static async open(url: string): Promise<BenchData> {
    const client = new Client({ connectionString: url });
    await client.connect();
    const data = new BenchData(client);
    await data.seed();
    return data;
  }

  /** The processes that serve the connections to the database, except our own. */
  async backends(): Promise<number[]> {
    const { rows } = await this.client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return rows.map(({ pid }) => pid);
  }

  close(): Promise<void> {
    return this.client.end();
  }

  /** Sets the number of rules in the system, with rules that nobody has. */
  async rules(count: number): Promise<void> {
    const drop = 'DELETE FROM service_permissions WHERE policy = $1';
    await this.client.query(drop, [POLICIES.filler]);
    const fill = `
      INSERT INTO service_permissions (policy, collection, action, permissions, fields)
      SELECT $1, 'service_users', 'read', '{"status":{"_eq":"active"}}', '{id,email,first_name}'
      FROM generate_series(1, $2::int4 - (SELECT count(*) FROM service_permissions))`;
    await this.client.query(fill, [POLICIES.filler, count]);
    await this.client.query('ANALYZE service_permissions');
  }

  /** Sets the number of users. */
  async users(count: number): Promise<void> {
    const fill = `
      INSERT INTO service_users (email, first_name, last_name, status)
      SELECT 'user' || n || '@example.com', 'First ' || n, 'Last ' || n,
        CASE WHEN n % 4 = 0 THEN 'archived' ELSE 'active' END
      FROM generate_series(1, $1::int4 - (SELECT count(*) FROM service_users)) n`;
    await this.client.query(fill, [count]);
    await this.client.query('ANALYZE service_users');
  }

  /**
   * Creates articles of the sample until there are this many. One in four is a draft, some are the reader's own;
   * the others belong to a thousand users, one in four of them archived.
   */
  async articles(count: number): Promise<void> {
    await this.users(USERS);
    const categories = `
      INSERT INTO categories (name) SELECT 'Category ' || n FROM generate_series(1, ${CATEGORIES}) n
      ON CONFLICT (name) DO NOTHING`;
    await this.client.query(categories);
    const fill = `
      WITH other AS (SELECT array_agg(id) AS ids FROM
        (SELECT id FROM service_users WHERE email LIKE 'user%' ORDER BY email LIMIT 1000) u),
      named AS (SELECT array_agg(id) AS ids FROM categories)
      INSERT INTO articles (title, body, status, qty, price, category, owner)
      SELECT 'Article ' || n, repeat('word ', 40), CASE WHEN n % 4 = 0 THEN 'draft' ELSE 'published' END, n % 100, n % 1000,
        named.ids[1 + n % ${CATEGORIES}],
        CASE WHEN n % ${BETWEEN} = 1 THEN (SELECT id FROM service_users WHERE email = $2) ELSE other.ids[1 + n % 1000] END
      FROM other, named, generate_series((SELECT count(*) FROM articles) + 1, $1) n ORDER BY n`;
    await this.client.query(fill, [count, READER]);
    await this.client.query('ANALYZE articles');
    await this.client.query('ANALYZE categories');
  }

  private async seed(): Promise<void> {
    await this.client.query(`INSERT INTO service_roles (id, name) VALUES ('${ROLE}', 'Staff')`);
    for (const [name, id] of Object.entries(POLICIES)) {
      await this.client.query(
        'INSERT INTO service_policies (id, name, admin_access) VALUES ($1, $2, $3)',
        [id, name, name === 'administrator'],
      );
    }
    const password = await hash(PASSWORD, BCRYPT_COST);
    await this.user(ADMINISTRATOR, password, POLICIES.administrator);
    await this.user(MEMBER, password, POLICIES.member);
    await this.user(READER, password, POLICIES.reader);
    for (const rule of MEMBER_RULES) await this.rule(POLICIES.member, rule);
    await this.rule(POLICIES.reader, READER_RULE);
    for (const rule of ARTICLES_RULES) await this.rule(POLICIES.reader, rule);
  }

  private async user(email: string, password: string, policy: string): Promise<void> {
    await this.client.query(
      `WITH made AS (
        INSERT INTO service_users (email, password, role) VALUES ($1, $2, $3) RETURNING id
      ) INSERT INTO service_access ("user", policy) SELECT id, $4 FROM made`,
      [email, password, ROLE, policy],
    );
  }

  private async rule(policy: string, rule: RuleSeed): Promise<void> {
    const { collection, action, permissions = {}, validation = {}, presets = {}, fields } = rule;
    await this.client.query(
      `INSERT INTO service_permissions (policy, collection, action, permissions, validation, presets, fields)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [policy, collection, action, permissions, validation, presets, fields],
    );
  }
}
