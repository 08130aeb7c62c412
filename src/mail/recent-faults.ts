const DAY = 86_400_000;
/** A higher number would not tell more. */
const MAX_FAULTS = 1_000;

/** Counts failures of the last day, on this instance. */
export class RecentFaults {
  private times: number[] = [];
  private reason: string | null = null;

  get last(): string | null {
    return this.reason;
  }

  add(reason: string): void {
    this.times.push(Date.now());
    if (this.times.length > MAX_FAULTS) this.times.shift();
    this.reason = reason;
  }

  /** The number of failures in the last 24 hours; 1,000 stands for all higher numbers. */
  last24Hours(): number {
    const since = Date.now() - DAY;
    this.times = this.times.filter((time) => time > since);
    return this.times.length;
  }
}
