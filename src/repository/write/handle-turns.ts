import { AsyncLocalStorage } from 'node:async_hooks';
import { Turns } from '../../common/turns';

/** A hook that is running, and the one that it runs within. */
interface Running {
  /** Of the handle whose write waits for the hook. */
  readonly turns: HandleTurns;
  readonly within: Running | undefined;
  over: boolean;
}

const current = new AsyncLocalStorage<Running>();
/** Of the whole process. */
let running = 0;

/** What is written by one handle is written one after another. */
export class HandleTurns {
  private readonly turns = new Turns();

  /** @throws an Error, at once, where the work is asked for by what its turn would wait for: it would never come */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.waitsFor(current.getStore())) {
      throw new Error(
        'A hook writes with what the hook or transaction around it was given, whose own write waits for this hook: write with the context that this hook is given itself',
      );
    }
    return this.turns.take('', work);
  }

  /** Runs a hook of what is being written in turn. */
  async runHook<T>(hook: () => T | Promise<T>): Promise<T> {
    const own: Running = { turns: this, within: current.getStore(), over: false };
    running += 1;
    try {
      return await current.run(own, hook);
    } finally {
      own.over = true;
      running -= 1;
      // Node follows every promise of the process for as long as one context is kept, those of plain reads too.
      if (running === 0) current.disable();
    }
  }

  private waitsFor(hook: Running | undefined): boolean {
    if (hook === undefined) return false;
    return (hook.turns === this && !hook.over) || this.waitsFor(hook.within);
  }
}
