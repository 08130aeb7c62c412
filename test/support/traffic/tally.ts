const KEPT = 20;

/** The results of the traffic so far. */
export class Tally {
  /** The number of answers of each kind, such as `GET 200` or `POST 502`. */
  readonly answers = new Map<string, number>();
  /** The first of the wrong answers, lost writes and writes that were carried out twice. */
  readonly faults: string[] = [];
  faultCount = 0;
  /** How long answers were still based on the state before a change, in ms. */
  readonly lags: number[] = [];
  /** The number of acknowledged writes. */
  acknowledged = 0;
  /** The number of writes whose result is unknown. */
  unknown = 0;
  /** The number of answers that were compared with the expected ones. */
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

  /** The number of answers whose kind ends with this: a status such as `502`, or `cut` without an answer. */
  ending(suffix: string): number {
    return [...this.answers]
      .filter(([kind]) => kind.endsWith(` ${suffix}`))
      .reduce((sum, [, count]) => sum + count, 0);
  }
}
