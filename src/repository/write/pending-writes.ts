import { TransactionEnded } from '../../database/open-transaction';
import { TrackedPromise } from './tracked-promise';

const UNAWAITED =
  'A write was started but not awaited: a hook or transaction must await all its writes before it returns';

/**
 * The writes of one transaction: ensures that all of them are complete before they are judged. A write that failed
 * while it stored has left a part that was never judged: code that catches its error and continues gets it again.
 */
export class PendingWrites {
  private underWay = 0;
  private isOver = false;
  private isGivenUp = false;
  private failure: { readonly error: unknown } | undefined;
  private readonly refused: { readonly write: TrackedPromise<unknown>; readonly error: unknown }[] =
    [];

  /**
   * @param work calls `storing` before it stores anything; until then it may fail safely
   * @returns a promise that never settles where `work` fails after `end` has refused the transaction because of it
   * @throws the error of an earlier failed write; TransactionEnded where everything has been judged already
   */
  run<T>(work: (storing: () => void) => Promise<T>): Promise<T> {
    if (this.isOver) return Promise.reject(new TransactionEnded());
    const write: TrackedPromise<T> = TrackedPromise.of(
      this.attempt(work).catch((error: unknown) => {
        this.refused.push({ write, error });
        throw error;
      }),
    );
    return write;
  }

  private async attempt<T>(work: (storing: () => void) => Promise<T>): Promise<T> {
    this.refuseFailed();
    let isStoring = false;
    this.underWay += 1;
    try {
      return await work(() => (isStoring = true));
    } catch (error) {
      if (isStoring) this.failure ??= { error };
      // `end` has reported what is wrong, and an error that nobody awaits would end the process.
      if (this.isGivenUp) return await new Promise<never>(() => undefined);
      throw error;
    } finally {
      this.underWay -= 1;
    }
  }

  /**
   * Call before judging.
   * @throws the error of a failed write; an Error where one is still running, or has failed and was not awaited
   */
  end(): void {
    const forgotten = this.refused.find(({ write }) => !write.isAwaited);
    if (forgotten) throw new Error(UNAWAITED, { cause: forgotten.error });
    this.refuseFailed();
    this.isGivenUp = this.underWay > 0;
    if (this.isGivenUp) throw new Error(UNAWAITED);
    this.isOver = true;
  }

  private refuseFailed(): void {
    if (this.failure) throw this.failure.error;
  }
}
