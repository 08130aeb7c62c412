import { type SeedData, create, read, update } from '../../factories';
import { onPostgres, type Reply, untilLockWaits } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

const WORLD = { name: { _eq: 'World' } };

/** What Rita may write depends on rows that others may change meanwhile. */
const SEED: SeedData = {
  policies: {
    relying: [
      read('articles', ['*']),
      read('categories', ['*']),
      read('notes', ['*']),
      create('articles', ['title', 'category'], { category: WORLD }),
      create(
        'notes',
        ['text', 'article'],
        {},
        { validation: { _or: [{ article: { category: WORLD } }, { text: { _eq: 'free' } }] } },
      ),
      update('notes', ['text'], {}, { validation: { article: { category: WORLD } } }),
    ],
  },
  users: { rita: { policies: ['relying'] } },
};

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld(SEED);
  await sample.app.database.query(`UPDATE notes SET article = 5 WHERE id = $1`, [
    sample.id('jotted'),
  ]);
});

afterAll(() => sample.app.close());

interface Write {
  readonly it: string;
  readonly send: () => Promise<Reply>;
  /** The refusal once category 1 is no longer called World. */
  readonly refused: readonly string[];
  /** The rows that it is judged by. */
  readonly parents: readonly string[];
}

const rita = () => sample.as('rita');
const CATEGORY = 'categories WHERE id = 1';
const ARTICLE = 'articles WHERE id = 5';

const WRITES: readonly Write[] = [
  {
    it: 'a create rule',
    send: () => rita().post('/items/articles', { title: 'x', category: 1 }),
    refused: ['FORBIDDEN'],
    parents: [CATEGORY],
  },
  {
    it: 'the validation of a create',
    send: () => rita().post('/items/notes', { text: 'x', article: 5 }),
    // One for each field of the rule.
    refused: ['FAILED_VALIDATION', 'FAILED_VALIDATION'],
    parents: [ARTICLE, CATEGORY],
  },
  {
    it: 'the validation of an update',
    send: () => rita().patch(`/items/notes/${sample.id('jotted')}`, { text: 'y' }),
    refused: ['FAILED_VALIDATION'],
    parents: [ARTICLE, CATEGORY],
  },
];

describe('25: a parent that is changing', () => {
  const rename = `UPDATE categories SET name = $1 WHERE id = 1`;

  afterEach(() => sample.app.database.query(rename, ['World']));

  it.each(WRITES)('is waited for by $it', async ({ send, refused }) => {
    const { reply } = await sample.app.database.transaction(async (tx) => {
      await tx.query(rename, ['Elsewhere']);
      return { reply: await sentAndWaiting(send) };
    });
    expect((await reply()).codes).toEqual(refused);
  });
});

// With one connection nobody else can write before the commit.
if (onPostgres() !== undefined) {
  describe('25: a parent cannot change before the commit of a write that was judged by it', () => {
    const KEY = 4711;

    beforeAll(async () => {
      const { database } = sample.app;
      const wait = `$$ BEGIN PERFORM pg_advisory_xact_lock(${KEY}); RETURN NULL; END $$`;
      await database.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS ${wait}`);
      for (const table of ['articles', 'notes']) {
        await database.query(
          `CREATE CONSTRAINT TRIGGER wait AFTER INSERT OR UPDATE ON ${table}
           DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()`,
        );
      }
    });

    it.each(WRITES)('for $it', async ({ send, parents }) => {
      const { database } = sample.app;
      const { reply } = await database.transaction(async (tx) => {
        await tx.query('SELECT pg_advisory_xact_lock($1)', [KEY]);
        const sent = await sentAndWaiting(send);
        for (const parent of parents) {
          const change = `SELECT 1 FROM ${parent} FOR NO KEY UPDATE NOWAIT`;
          await expect(database.query(change)).rejects.toMatchObject({ cause: { code: '55P03' } });
        }
        return { reply: sent };
      });
      expect((await reply()).status).toBe(200);
    });
  });
}

/**
 * Resolves once the request waits for a lock; on the embedded database's one connection it waits for our transaction.
 */
async function sentAndWaiting(send: () => Promise<Reply>): Promise<() => Promise<Reply>> {
  const reply = send();
  if (onPostgres() !== undefined) await untilLockWaits(sample.app.database, 1, reply);
  return () => reply;
}
