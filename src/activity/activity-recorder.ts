import { BeforeCommit } from '../collections';
import { inTurns } from '../common/next-turn';
import type { Change, CommitContext, CommitHooks, LogEntry } from '../repository';
import { actorOf } from './actor';

const RECORD = `
  INSERT INTO service_activity
    (action, collection, item, fields, cut, before, after, system, "user", ip, user_agent, origin, comment)
  SELECT a, c, i, f, coalesce(x, '{}'), b, n, s, $2::uuid, $3, $4, $5, $6
  FROM ROWS FROM (json_to_recordset($1::json) AS (a text, c text, i text, f text[], x text[], b jsonb, n jsonb, s text))
    WITH ORDINALITY AS written (a, c, i, f, x, b, n, s, place)
  ORDER BY place`;

/** Entries that are written out in one go. */
const AT_ONCE = 100;

/** Keeps who wrote which rows, and what was there before and after: one statement for all that a request writes. */
@BeforeCommit()
export class ActivityRecorder implements CommitHooks {
  async beforeCommit(_: readonly Change[], { caller, tx, entries }: CommitContext): Promise<void> {
    if (entries.length === 0) return;
    const { user, ip, userAgent, origin, comment } = actorOf(caller);
    const rows: string[] = [];
    await inTurns(entries, AT_ONCE, (entry) => void rows.push(written(entry)));
    tx.withCommit(RECORD, [`[${rows.join(',')}]`, user, ip, userAgent, origin, comment]);
  }
}

/** Short names, since they stand in every entry; what is null is left out. */
const written = ({ action, collection, key, fields, cut, ...entry }: LogEntry): string =>
  JSON.stringify({
    a: action,
    c: collection,
    i: String(key),
    f: fields,
    ...(cut.length > 0 && { x: cut }),
    ...(entry.before && { b: entry.before }),
    ...(entry.after && { n: entry.after }),
    ...(entry.system !== null && { s: entry.system }),
  });
