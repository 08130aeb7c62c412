import { AsyncContext } from '../../common/async-context';
import { KeyedMutex } from '../../common/keyed-mutex';

/** A running hook, and the hook it runs within. */
interface Running {
  /** The turns of the handle whose write waits for the hook. */
  readonly turns: HandleTurns;
  readonly within: Running | undefined;
  over: boolean;
}

/** Shared by the whole process. */
const current = new AsyncContext<Running>();

/** Runs the writes of one handle one after another. */
export class HandleTurns {
  private readonly mutex = new KeyedMutex();

  /**
   * @throws an Error, at once, where the work is requested from within what it would have to wait for: it would wait
   * forever
   */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.waitsFor(current.get())) {
      throw new Error(
        'A hook writes with the context of the hook or transaction around it, whose own write waits for this hook: use the context that this hook itself is given',
      );
    }
    return this.mutex.run('', work);
  }

  /** Runs a hook of the current write. */
  async runHook<T>(hook: () => T | Promise<T>): Promise<T> {
    const own: Running = { turns: this, within: current.get(), over: false };
    try {
      return await current.run(own, hook);
    } finally {
      own.over = true;
    }
  }

  private waitsFor(hook: Running | undefined): boolean {
    if (hook === undefined) return false;
    return (hook.turns === this && !hook.over) || this.waitsFor(hook.within);
  }
}
