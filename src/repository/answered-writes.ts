import type { Caller } from '../engine';
import type { Queries, Tx } from '../database/database';
import type { Key } from './write-context';
import type { CollectionReader } from './read/collection-reader';
import type { ParsedQuery } from './read/query-reader';
import { ReturnedAnswer } from './read/returned-answer';
import type { Page } from './read/row-reader';
import type { StoredCollection } from './registry/stored-collection';
import type { RepositorySetting } from './repository-setting';
import { commit } from './write/commit';
import { preparePayloads } from './write/plan/prepare-payloads';
import { ConditionNotMet, SoleRow } from './write/store/sole-row';
import type { Writer } from './write/writer';

/** @returns the keys of the rows that were written */
type Work = (writer: Writer, tx: Queries, sole: SoleRow) => Promise<readonly Key[]>;

/**
 * Writes to a collection in a transaction, and answers with the written rows as their writer sees them. If one statement
 * can do the whole request, that is tried first; if it refuses the row, everything runs again step by step.
 */
export class AnsweredWrites {
  constructor(
    private readonly collection: StoredCollection,
    private readonly setting: RepositorySetting,
    private readonly reader: CollectionReader,
  ) {}

  /**
   * @param answer what to show of the written rows; null: nothing
   * @param sent the payloads, for hooks that prepare them before the transaction
   */
  async run(
    caller: Caller,
    answer: ParsedQuery | null,
    sent: readonly unknown[],
    work: Work,
  ): Promise<Page> {
    await preparePayloads(this.setting, this.collection.name, sent, caller);
    const mayStandAlone = answer?.checkAnswer === undefined;
    try {
      return await this.write(caller, answer, work, { mayStandAlone });
    } catch (error) {
      if (!(error instanceof ConditionNotMet)) throw error;
      return await this.write(caller, answer, work, { mayStandAlone: false });
    }
  }

  /** @param options `mayStandAlone`: the request may be done by a single statement */
  private write(
    caller: Caller,
    answer: ParsedQuery | null,
    work: Work,
    { mayStandAlone }: { readonly mayStandAlone: boolean },
  ): Promise<Page> {
    return this.commit(caller, async (writer, tx) => {
      const returned = answer
        ? ReturnedAnswer.of(caller, answer, this.setting.registry)
        : undefined;
      const keys = await work(writer, tx, new SoleRow(returned, mayStandAlone));
      await writer.judge();
      if (keys.length === 0) return this.reader.untouched(answer);
      if (!answer) return { rows: [] };
      const page = returned?.page ?? (await this.reader.written(caller, keys, answer, tx));
      answer.checkAnswer?.(page.rows);
      return page;
    });
  }

  /** Runs writes that have no answer. */
  commit<T>(caller: Caller, work: (writer: Writer, tx: Tx) => Promise<T>): Promise<T> {
    return commit({ ...this.setting, caller }, work);
  }
}
