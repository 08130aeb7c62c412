import { compare, hash } from 'bcrypt';
import type { Pool } from 'pg';
import { BCRYPT_COST, MEMBER, ownArticle, PASSWORD, READER } from './bench-data';
import type { FloorWork, Line, Recording } from './line';
import { ARTICLES_JOINED, INSERT_ARTICLES, UPDATE_OWN } from './peers/statements';

/** The number of sessions for the floor: many more than concurrent requests, so that no two update the same row. */
const SESSIONS = 500;

/** Only bcrypt, with the cost of the service. */
export async function comparePassword(): Promise<FloorWork> {
  const stored = await hash(PASSWORD, BCRYPT_COST);
  return async () => void (await compare(PASSWORD, stored));
}

/**
 * The recorded statement, each time with the next generation of one of the floor's sessions, so that it finds a row.
 */
export async function rotateSessions(recording: Recording, pool: Pool): Promise<FloorWork> {
  // Ignores statements of a worker that looked for jobs meanwhile.
  const rotations = recording.statements.filter(({ text }) =>
    text.includes('UPDATE service_sessions'),
  );
  const [statement] = rotations;
  if (!statement || rotations.length > 1) throw new Error('A refresh is one statement');
  const made = await pool.query<{ id: string }>(MAKE_SESSIONS, [SESSIONS, MEMBER]);
  const ids = made.rows.map(({ id }) => id);
  const lifetime = statement.values?.[4];
  return async (n) => {
    const generation = Math.floor(n / SESSIONS);
    const values = [
      ids[n % SESSIONS],
      generation,
      [`g${generation}`],
      `g${generation + 1}`,
      lifetime,
    ];
    const { rowCount } = await pool.query({ name: 'rotate', text: statement.text, values });
    if (rowCount !== 1) throw new Error('The floor lost a session');
  };
}

const MAKE_SESSIONS = `
  INSERT INTO service_sessions (id, "user", token_hash, expires_at)
  SELECT gen_random_uuid(), id, 'g0', now() + interval '1 day'
  FROM service_users, generate_series(1, $1::int4) WHERE email = $2 RETURNING id`;

/** Sends no statements. */
export const noWork = async (): Promise<undefined> => undefined;

/** One statement, as written by hand. */
export async function joinRelations(_: Recording, pool: Pool): Promise<FloorWork> {
  const values = [await readerOf(pool), 25];
  return async () => void (await pool.query({ name: 'join', text: ARTICLES_JOINED, values }));
}

/** One statement that includes the rule; never two at a time on the same row. */
export async function updateOwn(_: Recording, pool: Pool): Promise<FloorWork> {
  const reader = await readerOf(pool);
  return async (n) => {
    const values = [reader, ownArticle(n), n];
    const { rowCount } = await pool.query({ name: 'update', text: UPDATE_OWN, values });
    if (rowCount !== 1) throw new Error('The floor lost an article');
  };
}

/** One statement, however many rows. */
export const insertArticles =
  (articles: readonly object[]): Line['floor'] =>
  async (_, pool) => {
    const values = [await readerOf(pool), JSON.stringify(articles)];
    return async () => void (await pool.query({ name: 'insert', text: INSERT_ARTICLES, values }));
  };

async function readerOf(pool: Pool): Promise<string> {
  const text = 'SELECT id FROM service_users WHERE email = $1';
  const { rows } = await pool.query<{ id: string }>(text, [READER]);
  return rows[0]?.id ?? '';
}
