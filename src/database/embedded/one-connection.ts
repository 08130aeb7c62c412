import type { Pool, PoolClient } from 'pg';
import { AsyncContext } from '../../common/async-context';

/** A statement that would wait for the end of its own transaction. */
export class BesideTransaction extends Error {
  override readonly name = 'BesideTransaction';

  constructor() {
    super(
      'A statement was sent outside the transaction in which its code runs. The embedded database has one connection, so the statement would wait for itself: inside a transaction use its `tx`, or the `read`, `write` and `system` that come with it.',
    );
  }
}

interface Inside {
  open: boolean;
}

type Connected = (error: Error | undefined, client?: PoolClient, done?: () => void) => void;

/**
 * Distinguishes a statement that waits for its own transaction from one that waits for another's. Used only where there
 * is one connection: with several such a statement succeeds, and tracking has a cost.
 */
export class OneConnection {
  private readonly inside = new AsyncContext<Inside>();

  /** @param pool every connection taken from it is checked, also by TypeORM and its repositories */
  constructor(pool: Pool) {
    const connect = pool.connect.bind(pool) as (connected?: Connected) => Promise<PoolClient>;
    const looked = (connected?: Connected): unknown => {
      if (this.inside.get()?.open !== true) return connect(connected);
      const error = new BesideTransaction();
      if (!connected) return Promise.reject(error);
      return process.nextTick(connected, error, undefined, () => undefined);
    };
    pool.connect = looked as Pool['connect'];
  }

  /** Runs the work of a transaction. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const inside = { open: true };
    try {
      return await this.inside.run(inside, work);
    } finally {
      inside.open = false;
    }
  }
}
