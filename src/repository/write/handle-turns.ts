import { AsyncLocalStorage } from 'node:async_hooks';
import { Turns } from '../../common/turns';

/** Work that is being done, and what it is done within. */
interface Held {
  readonly turns: HandleTurns;
  readonly within: Held | undefined;
  over: boolean;
}

const current = new AsyncLocalStorage<Held>();

/** What is written by one handle is written one after another. */
export class HandleTurns {
  private readonly turns = new Turns();

  /** @throws an Error, at once, where the work is asked for by what its turn would wait for: it would never come */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const within = current.getStore();
    if (this.isHeldBy(within)) {
      throw new Error(
        'A hook writes with what the hook or transaction around it was given, whose own write waits for this hook: write with the context that this hook is given itself',
      );
    }
    return this.turns.take('', () => this.run(work, within));
  }

  private async run<T>(work: () => Promise<T>, within: Held | undefined): Promise<T> {
    const held: Held = { turns: this, within, over: false };
    try {
      return await current.run(held, work);
    } finally {
      held.over = true;
    }
  }

  private isHeldBy(held: Held | undefined): boolean {
    if (held === undefined) return false;
    return (held.turns === this && !held.over) || this.isHeldBy(held.within);
  }
}
