/** A stream of choices that depend only on the seed: the same seed makes the same request. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A separate generator for each number, so that a request can be made without those before it. */
  static of(seed: number, index: number): Random {
    const random = new Random(
      Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35),
    );
    random.next();
    return random;
  }

  /** An integer from 0 up to, but not including, `below`. */
  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.int(from.length)];
    if (from.length === 0) throw new Error('Nothing to pick from');
    return picked as T;
  }

  /** At most this many of them, possibly with repetitions. */
  some<T>(from: readonly T[], most: number): T[] {
    if (from.length === 0) return [];
    return this.times(this.int(most + 1), () => this.pick(from));
  }

  times<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }

  /** Chooses one of several ways by their weights. */
  way<T>(ways: readonly (readonly [weight: number, make: () => T])[]): T {
    let at = this.next() * ways.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, make] of ways) {
      at -= weight;
      if (at < 0) return make();
    }
    return this.pick(ways)[1]();
  }

  /** Mulberry32. */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }
}
