import { GRAPHQL_LIMITS } from './limits';

/** Operations of one request may run at once only in its slots: without them one request could take all connections. */
export class OperationSlots {
  private free: number = GRAPHQL_LIMITS.concurrency;
  private readonly waiting: (() => void)[] = [];

  /** @returns undefined where a slot is free, so that most requests wait for no promise */
  take(): Promise<void> | undefined {
    if (this.free === 0) return new Promise((enter) => this.waiting.push(enter));
    this.free -= 1;
    return undefined;
  }

  /** Frees a taken slot for the operation that has waited longest. */
  leave(): void {
    const enter = this.waiting.shift();
    if (enter) enter();
    else this.free += 1;
  }
}
