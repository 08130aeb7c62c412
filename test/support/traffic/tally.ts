const KEPT = 20;

/** What the traffic has seen so far. */
export class Tally {
  /** How many answers of each kind: `GET 200`, `POST 502`. */
  readonly answers = new Map<string, number>();
  /** Wrong answers, and writes that are lost or were done twice: the first of them. */
  readonly faults: string[] = [];
  faultCount = 0;
  /** Of answers that still went by what had just been changed: how long they did, in ms. */
  readonly lags: number[] = [];
  /** Writes that were acknowledged. */
  acknowledged = 0;
  /** Writes of which nobody knows whether they were carried out. */
  unknown = 0;
  /** Answers that were compared with what they had to be. */
  compared = 0;

  count(kind: string): void {
    this.answers.set(kind, (this.answers.get(kind) ?? 0) + 1);
  }

  fault(text: string): void {
    this.faultCount += 1;
    if (this.faults.length < KEPT) this.faults.push(text);
  }

  get requests(): number {
    return [...this.answers.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Answers whose kind ends like this: a status such as `502`, or `cut` where there was none. */
  ending(suffix: string): number {
    return [...this.answers]
      .filter(([kind]) => kind.endsWith(` ${suffix}`))
      .reduce((sum, [, count]) => sum + count, 0);
  }
}
