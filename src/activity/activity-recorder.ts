import { BeforeCommit } from '../collections';
import { jsonList } from '../common/json-list';
import { inTurns } from '../common/next-turn';
import type { Caller } from '../engine';
import type {
  Change,
  CommitContext,
  CommitHooks,
  EntryCompiler,
  EntrySql,
  LogEntry,
} from '../repository';
import { type Actor, actorOf } from './actor';

/** The columns of an actor, and their types. */
const ACTOR_COLUMNS = '"user", ip, user_agent, origin, comment';
const ACTOR_CASTS = ['uuid', 'text', 'text', 'text', 'text'];

const INSERT = `
  INSERT INTO service_activity
    (${ACTOR_COLUMNS}, action, collection, item, fields, cut, before, after, system)`;

/** Most requests write one row; for a single entry, plain parameters cost the database a fifth less than JSON. */
const RECORD_ONE = `${INSERT}
  VALUES ($1::uuid, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10::text[], $11::jsonb, $12::jsonb, $13)`;

const RECORD = `${INSERT}
  SELECT $1::uuid, $2, $3, $4, $5, a, c, i, f, coalesce(x, '{}'), b, n, s
  FROM ROWS FROM (jsonb_to_recordset($6::jsonb) AS (a text, c text, i text, f text[], x text[], b jsonb, n jsonb, s text))
    WITH ORDINALITY AS written (a, c, i, f, x, b, n, s, place)
  ORDER BY place`;

/** How many entries are serialized between two turns of the event loop. */
const ENTRIES_PER_TURN = 100;

/** Records who wrote which rows, with their values before and after: one statement for all that a request writes. */
@BeforeCommit()
export class ActivityRecorder implements CommitHooks {
  entryCompiler(caller: Caller): EntryCompiler | undefined {
    const actor = actorIfStorable(caller);
    return actor && { actor: valuesOfActor(actor), casts: ACTOR_CASTS, compile: compileEntry };
  }

  /** The statement that writes a single row also writes its entry. */
  concerns(): boolean {
    return false;
  }

  async beforeCommit(
    _: readonly Change[],
    { caller, tx, unrecorded }: CommitContext,
  ): Promise<void> {
    const [first, ...others] = unrecorded;
    if (!first) return;
    const actor = valuesOfActor(actorOf(caller));
    if (others.length === 0) return tx.withCommit(RECORD_ONE, [...actor, ...valuesOf(first)]);
    const rows: string[] = [];
    await inTurns(unrecorded, ENTRIES_PER_TURN, (entry) => void rows.push(entryAsJson(entry)));
    tx.withCommit(RECORD, [...actor, jsonList(rows)]);
  }
}

/** A comment that cannot be stored is reported only before the commit, after everything that the rules refuse. */
function actorIfStorable(caller: Caller): Actor | undefined {
  try {
    return actorOf(caller);
  } catch {
    return undefined;
  }
}

const valuesOfActor = ({ user, ip, userAgent, origin, comment }: Actor): readonly unknown[] => [
  user,
  ip,
  userAgent,
  origin,
  comment,
];

function compileEntry({ from, ...entry }: EntrySql, actor: readonly string[]): string {
  const { item, fields, cut, before, after, action, collection, system } = entry;
  const cells = { item, fields, cut, before, after, action, collection, system };
  const values = [...Object.values(cells), ...actor].join(', ');
  return `INSERT INTO service_activity (${Object.keys(cells).join(', ')}, ${ACTOR_COLUMNS}) SELECT ${values} ${from}`;
}

const valuesOf = (entry: LogEntry): readonly unknown[] => {
  const { action, collection, key, fields, cut, before, after, system } = entry;
  const [was, is] = [before, after].map((values) => values && JSON.stringify(values));
  return [action, collection, String(key), fields, cut, was, is, system];
};

/** Short names, since they are repeated in every entry; null is left out. */
const entryAsJson = ({ action, collection, key, fields, cut, ...entry }: LogEntry): string =>
  JSON.stringify({
    a: action,
    c: collection,
    i: String(key),
    f: fields,
    x: cut.length > 0 ? cut : undefined,
    b: entry.before ?? undefined,
    n: entry.after ?? undefined,
    s: entry.system ?? undefined,
  });
