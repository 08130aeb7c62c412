import type { Caller } from '../../engine';
import { Forbidden, HiddenCause } from '../../common/errors';
import { collectionName, type EntityClass } from '../../common/schema';
import type { Queries } from '../../database/database';
import type { RawQuery } from '../query/query';
import type { Key, RelatedReader } from '../write-context';
import { CollectionReader, type ReaderSetting } from './collection-reader';
import type { Row } from './row-reader';

/** Reads any collection as one caller sees it. */
export class RelatedRows implements RelatedReader {
  constructor(
    private readonly caller: Caller,
    private readonly setting: ReaderSetting,
    private readonly queries: Queries,
  ) {}

  async list(collection: string | EntityClass, query: RawQuery = {}): Promise<readonly Row[]> {
    const reader = this.readerOf(collection);
    return (await reader.list(this.caller, query, this.queries)).rows;
  }

  async one(collection: string | EntityClass, key: Key, query: RawQuery = {}): Promise<Row> {
    const reader = this.readerOf(collection);
    return (await reader.one(this.caller, key, query, this.queries)).row;
  }

  private readerOf(reference: string | EntityClass): CollectionReader {
    const { caller, setting } = this;
    const name = typeof reference === 'string' ? reference : collectionName(reference);
    const collection = setting.registry.get(name);
    if (collection) return new CollectionReader(collection, setting);
    throw absent(caller, name);
  }
}

/**
 * To the caller, a missing collection looks like a hidden one, and the log shows what code named; code that acts as the
 * system gets an error that shows its mistake.
 */
export const absent = ({ system }: Caller, collection: string): Error =>
  system === undefined
    ? new Forbidden({}, { cause: new HiddenCause(`There is no collection ${collection}`) })
    : new Error(`As the system (${system}): there is no collection ${collection}`);
