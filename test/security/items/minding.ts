import { type Cast, create, read, remove, update } from '../../factories';
import { hearStatements, type Reply } from '../../support';
import { seenOf } from '../spying';
import { openPress, type Press } from './press';

const MINE = { author: { _eq: '$CURRENT_USER' } };
const OWNED = { owner: { _eq: '$CURRENT_USER' } };

/** Nan sees her own article and her own note, whatever else there is. */
const CAST: Cast = {
  policies: {
    minding: [
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
  users: { nan: { policies: ['minding'] } },
};

export type Ask = (name: string) => Promise<Reply>;

export interface Minding extends Press {
  /** Asked about two names, the service says the same, asks the same of the database, and changes nothing. */
  expectAlike(ask: Ask, hidden: string, missing: string): Promise<void>;
  /** Besides it is a refusal. */
  expectTwins(ask: Ask, hidden: string, missing: string, code?: string): Promise<void>;
}

/** The press, and Nan with article 6 and two notes on it, of which `<own>` is hers. */
export async function openMinding(): Promise<Minding> {
  const press = await openPress(CAST);
  const { database } = press.app;
  const [nan, amy] = [press.id('nan'), press.id('amy')];
  await database.query(`INSERT INTO articles (id, title, owner) VALUES (6, 'Nans', $1)`, [nan]);
  const notes = await database.query<{ id: string }>(
    `INSERT INTO notes (article, author, text) VALUES (6, $1, 'Own'), (6, $2, 'Hidden') RETURNING id`,
    [nan, amy],
  );
  press.name('own', notes[0]?.id ?? '');
  const { red, hush } = press.tags;
  await database.query(`INSERT INTO articles_tags VALUES (6, $1), (6, $2)`, [red, hush]);
  return { ...press, ...comparing(press) };
}

function comparing(press: Press): Pick<Minding, 'expectAlike' | 'expectTwins'> {
  const { statements } = hearStatements(press.app.database);
  /** What was asked of the database: the duration that an onlooker could measure comes from this. */
  const look = async (ask: Ask, name: string): Promise<object> => {
    await ask(name);
    statements.length = 0;
    const reply = await ask(name);
    // An answer speaks of fields and collections by name; of items it never names the id.
    return {
      reply: seenOf(reply, /^[a-z_]+$/.test(name) ? name : ''),
      asked: statements.map(({ text }) => text),
    };
  };
  const expectAlike: Minding['expectAlike'] = async (ask, hidden, missing) => {
    const before = await press.items();
    expect(await look(ask, hidden)).toEqual(await look(ask, missing));
    expect(await press.items()).toEqual(before);
  };
  return {
    expectAlike,
    expectTwins: async (ask, hidden, missing, code = 'FORBIDDEN') => {
      const before = await press.items();
      expect((await ask(hidden)).codes).toEqual([code]);
      await expectAlike(ask, hidden, missing);
      expect(await press.items()).toEqual(before);
    },
  };
}
