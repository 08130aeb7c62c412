import { AsyncContext } from '../../common/async-context';
import { KeyedMutex } from '../../common/keyed-mutex';

/** A hook that is running, and the one that it runs within. */
interface Running {
  /** Of the handle whose write waits for the hook. */
  readonly turns: HandleTurns;
  readonly within: Running | undefined;
  over: boolean;
}

/** Of the whole process. */
const current = new AsyncContext<Running>();

/** What is written by one handle is written one after another. */
export class HandleTurns {
  private readonly mutex = new KeyedMutex();

  /** @throws an Error, at once, where the work is asked for by what its turn would wait for: it would never come */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.waitsFor(current.get())) {
      throw new Error(
        'A hook writes with what the hook or transaction around it was given, whose own write waits for this hook: write with the context that this hook is given itself',
      );
    }
    return this.mutex.run('', work);
  }

  /** Runs a hook of what is being written in turn. */
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
