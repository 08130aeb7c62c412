import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Queries } from '../database';
import { isWhere, markIn, readMarks, readMarksInComments, readPlaces } from './catalogue';

/** The mark of each name of a rule when it was checked. For a list: those of all the columns it uses. */
export interface RuleMarks {
  /** The names in its `permissions`, `validation` and `presets`, and its collection, as `collection.field`. */
  readonly names?: Readonly<Record<string, string>>;
  /** The names in its `fields`. */
  readonly fields?: Readonly<Record<string, string>>;
}

interface MarkedRule {
  readonly id: number;
  readonly collection: string;
  readonly fields: readonly string[];
  readonly marks: RuleMarks;
}

const RULES = `
  SELECT id, collection, fields, marks FROM service_permissions
  WHERE marks <> '{}' ORDER BY id FOR UPDATE`;
const KEEP = 'UPDATE service_permissions SET fields = $2::text[], marks = $3::jsonb WHERE id = $1';
const REMOVE = 'DELETE FROM service_permissions WHERE id = $1';
const FORGET = 'DELETE FROM service_marks WHERE mark = ANY($1::text[])';

type MarkQueries = Pick<Queries, 'query'>;

const logger = new Logger('Rules');

/** Call after migrations, including reverted ones. */
export async function forgetVanishedIn(dataSource: DataSource): Promise<void> {
  await dataSource.transaction(async (manager) => {
    const tx: MarkQueries = { query: (text, values) => manager.query(text, values as unknown[]) };
    const [{ there } = { there: false }] = await tx.query<{ there: boolean }>(
      "SELECT to_regclass('service_marks') IS NOT NULL AS there",
    );
    if (there) await forgetVanished(tx);
  });
}

/**
 * Removes rules on tables and columns that no longer exist: a rule must not apply again when a name returns, perhaps
 * with another meaning. Triggers notify running instances.
 */
async function forgetVanished(tx: MarkQueries): Promise<void> {
  const vanished = await readVanished(tx);
  if (vanished.size === 0) return;
  for (const rule of await tx.query<MarkedRule>(RULES)) await removeVanished(tx, rule, vanished);
  await tx.query(FORGET, [[...vanished]]);
}

async function readVanished(tx: MarkQueries): Promise<ReadonlySet<string>> {
  const stored = await readMarks(tx);
  const present = await readMarksInComments(tx);
  const doubtful = stored.filter(({ mark }) => !present.has(mark));
  if (doubtful.length === 0) return new Set();
  const places = await readPlaces(
    tx,
    doubtful.map(({ path }) => path),
  );
  const unmarked = places.filter(({ comment }) => markIn(comment) === undefined);
  return new Set(
    doubtful
      .filter((each) => !unmarked.some((place) => isWhere(each, place)))
      .map(({ mark }) => mark),
  );
}

async function removeVanished(
  tx: MarkQueries,
  { id, collection, fields, marks }: MarkedRule,
  vanished: ReadonlySet<string>,
): Promise<void> {
  const isGone = (marksOfName: string | undefined): boolean =>
    marksOfName?.split(' ').some((mark) => vanished.has(mark)) === true;
  if (Object.values(marks.names ?? {}).some(isGone)) {
    logger.warn(
      `Rule ${id} on ${collection} names a table or column that no longer exists: the rule is deleted`,
    );
    await tx.query(REMOVE, [id]);
    return;
  }
  const remainingFields = fields.filter((name) => !isGone(marks.fields?.[name]));
  if (remainingFields.length === fields.length) return;
  logger.warn(
    `Rule ${id} on ${collection} lists fields that no longer exist: they are removed from it`,
  );
  const remainingMarks = Object.entries(marks.fields ?? {}).filter(([name]) =>
    remainingFields.includes(name),
  );
  await tx.query(KEEP, [
    id,
    remainingFields,
    JSON.stringify({ ...marks, fields: Object.fromEntries(remainingMarks) }),
  ]);
}
