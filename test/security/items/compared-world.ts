import { type SeedData, create, read, remove, update } from '../../factories';
import { hearStatements, type Reply } from '../../support';
import { seenOf } from '../compare';
import { openSampleWorld, type SampleWorld } from './sample-world';

const MINE = { author: { _eq: '$CURRENT_USER' } };
const OWNED = { owner: { _eq: '$CURRENT_USER' } };

/** Nan sees her own article and her own note, whatever else there is. */
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
  /** Asked about two names, the service says the same, asks the same of the database, and changes nothing. */
  expectAlike(ask: Ask, hidden: string, missing: string): Promise<void>;
  /** Besides it is a refusal. */
  expectTwins(ask: Ask, hidden: string, missing: string, code?: string): Promise<void>;
}

/** The sample world, and Nan with article 6 and two notes on it, of which `<own>` is hers. */
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
  /** What was asked of the database: the duration that an onlooker could measure comes from this. */
  const look = async (ask: Ask, name: string): Promise<object> => {
    await ask(name);
    const heard = hearStatements(sample.app.database);
    const reply = await ask(name).finally(() => heard.stop());
    // An answer speaks of fields and collections by name; of items it never names the id.
    return {
      reply: seenOf(reply, /^[a-z_]+$/.test(name) ? name : ''),
      asked: heard.statements.map(({ text }) => text),
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
