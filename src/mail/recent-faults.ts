const DAY = 86_400_000;
/** More is no more of a warning. */
const MAX_FAULTS = 1_000;

/** What failed in the last day, on this instance. */
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

  /** How many; 1,000 stands for all above. */
  last24Hours(): number {
    const since = Date.now() - DAY;
    this.times = this.times.filter((time) => time > since);
    return this.times.length;
  }
}
