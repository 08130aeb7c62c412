import { TransactionEnded } from '../../database/open-transaction';

const UNAWAITED =
  'A write was begun and not awaited: await all that a hook or a transaction writes before it returns';

/**
 * Sees to it that all writes of one transaction are carried out as wholes, and judged. One that failed while it stored
 * has left some of it behind, which nobody has judged: whoever catches its error and goes on gets it again.
 */
export class WholeWrites {
  private underWay = 0;
  private isOver = false;
  private failure: { readonly error: unknown } | undefined;

  /**
   * @param work calls `storing` before it stores anything; until then it may fail without harm
   * @throws what an earlier write failed with; TransactionEnded where all has been judged already
   */
  async carryOut<T>(work: (storing: () => void) => Promise<T>): Promise<T> {
    if (this.isOver) throw new TransactionEnded();
    this.refuseFailed();
    let isStoring = false;
    this.underWay += 1;
    try {
      return await work(() => (isStoring = true));
    } catch (error) {
      if (isStoring) this.failure ??= { error };
      throw error;
    } finally {
      this.underWay -= 1;
    }
  }

  /**
   * To be called before all is judged.
   * @throws what a write failed with; an Error where one is still under way
   */
  end(): void {
    this.refuseFailed();
    if (this.underWay > 0) throw new Error(UNAWAITED);
    this.isOver = true;
  }

  private refuseFailed(): void {
    if (this.failure) throw this.failure.error;
  }
}
