import { type SeedData, create, read, remove, update } from '../../factories';
import { recordStatements, type Reply } from '../../support';
import { seenOf } from '../compare';
import { openSampleWorld, type SampleWorld } from './sample-world';

const MINE = { author: { _eq: '$CURRENT_USER' } };
const OWNED = { owner: { _eq: '$CURRENT_USER' } };

/** Nan sees only her own article and her own note. */
const SEED: SeedData = {
  policies: {
    owning: [
      read('articles', ['title', 'notes', 'tags', 'category', 'owner'], OWNED),
      create('articles', ['title', 'notes', 'tags', 'category', 'owner']),
      update('articles', ['title', 'notes', 'tags', 'category', 'owner'], OWNED),
      remove('articles', OWNED),
      read('notes', ['text', 'article', 'author'], MINE),
      create('notes', ['text', 'article'], {}, { presets: { author: '$CURRENT_USER' } }),
      update('notes', ['text', 'article'], MINE),
      remove('notes', MINE),
      read('tags', ['name'], { name: { _neq: 'hush' } }),
      update('tags', ['name'], { name: { _neq: 'hush' } }),
      read('categories', ['name'], { name: { _neq: 'Vault' } }),
      update('categories', ['name'], { name: { _neq: 'Vault' } }),
    ],
  },
  users: { nan: { policies: ['owning'] } },
};

export type Ask = (name: string) => Promise<Reply>;

export interface ComparedWorld extends SampleWorld {
  /** Expects that both names get the same answer after the same statements, and that nothing changes. */
  expectAlike(ask: Ask, hidden: string, missing: string): Promise<void>;
  /** Expects in addition that the answer is a refusal. */
  expectTwins(ask: Ask, hidden: string, missing: string, code?: string): Promise<void>;
}

/** The sample world, and Nan with article 6 and two notes on it; `<own>` is hers. */
export async function openComparedWorld(): Promise<ComparedWorld> {
  const sample = await openSampleWorld(SEED);
  const { database } = sample.app;
  const [nan, amy] = [sample.id('nan'), sample.id('amy')];
  await database.query(`INSERT INTO articles (id, title, owner) VALUES (6, 'Nans', $1)`, [nan]);
  const notes = await database.query<{ id: string }>(
    `INSERT INTO notes (article, author, text) VALUES (6, $1, 'Own'), (6, $2, 'Hidden') RETURNING id`,
    [nan, amy],
  );
  sample.name('own', notes[0]?.id ?? '');
  const { red, hush } = sample.tags;
  await database.query(`INSERT INTO articles_tags VALUES (6, $1), (6, $2)`, [red, hush]);
  return { ...sample, ...comparing(sample) };
}

function comparing(sample: SampleWorld): Pick<ComparedWorld, 'expectAlike' | 'expectTwins'> {
  /** The reply and the statements, which determine the duration that an observer could measure. */
  const look = async (ask: Ask, name: string): Promise<object> => {
    await ask(name);
    const recorded = recordStatements(sample.app.database);
    const reply = await ask(name).finally(() => recorded.stop());
    // An answer may contain the name of a field or collection, but never the id of an item.
    return {
      reply: seenOf(reply, /^[a-z_]+$/.test(name) ? name : ''),
      asked: recorded.statements.map(({ text }) => text),
    };
  };
  const expectAlike: ComparedWorld['expectAlike'] = async (ask, hidden, missing) => {
    const before = await sample.items();
    expect(await look(ask, hidden)).toEqual(await look(ask, missing));
    expect(await sample.items()).toEqual(before);
  };
  return {
    expectAlike,
    expectTwins: async (ask, hidden, missing, code = 'FORBIDDEN') => {
      const before = await sample.items();
      expect((await ask(hidden)).codes).toEqual([code]);
      await expectAlike(ask, hidden, missing);
      expect(await sample.items()).toEqual(before);
    },
  };
}
