import type { Caller } from '../../engine';
import { AppError, Forbidden, HiddenCause, withoutDetails } from '../../common/errors';
import { collectionName, type EntityClass } from '../../common/schema';
import type { Queries } from '../../database/database';
import type { RawQuery } from '../query/query';
import { type Acting, causeAsSystem } from '../system-errors';
import type { Key, RelatedReader } from '../write-context';
import { CollectionReader, type ReaderSetting } from './collection-reader';
import type { Row } from './row-reader';

/** Reads any collection as one caller sees it. */
export class RelatedRows implements RelatedReader {
  constructor(
    private readonly who: Acting,
    private readonly setting: ReaderSetting,
    private readonly queries: Queries,
  ) {}

  async list(collection: string | EntityClass, query: RawQuery = {}): Promise<readonly Row[]> {
    const reader = this.readerOf(collection);
    const { who, queries } = this;
    return (await withoutHidden(who, () => reader.list(who.caller, query, queries))).rows;
  }

  async one(collection: string | EntityClass, key: Key, query: RawQuery = {}): Promise<Row> {
    const reader = this.readerOf(collection);
    const { who, queries } = this;
    return (await withoutHidden(who, () => reader.one(who.caller, key, query, queries))).row;
  }

  private readerOf(reference: string | EntityClass): CollectionReader {
    const { who, setting } = this;
    const name = typeof reference === 'string' ? reference : collectionName(reference);
    const collection = setting.registry.get(name);
    if (collection) return new CollectionReader(collection, setting);
    throw absent(who.caller, name);
  }
}

/** The error of a read as the system may name what the requester cannot see, so only the log gets its details. */
async function withoutHidden<T>({ caller, requester }: Acting, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!requester || requester.administrator || !hasDetails(error)) throw error;
    throw withoutDetails(error, causeAsSystem(caller.system, error));
  }
}

const hasDetails = (error: unknown): error is AppError =>
  error instanceof AppError && Object.keys(error.details).length > 0;

/**
 * To the caller, a missing collection looks like a hidden one, and the log shows what code named; code that acts as the
 * system gets an error that shows its mistake.
 */
export const absent = ({ system }: Caller, collection: string): Error =>
  system === undefined
    ? new Forbidden({}, { cause: new HiddenCause(`There is no collection ${collection}`) })
    : new Error(`As the system (${system}): there is no collection ${collection}`);
