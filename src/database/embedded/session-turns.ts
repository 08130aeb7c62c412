/** Lends the only session of the embedded server to one connection at a time, in the order in which they ask. */
export class SessionTurns {
  private holder: object | undefined;
  private readonly waiting: (() => void)[] = [];

  /** Waits until the session is free. Returns at once for the connection that holds it. */
  async take(connection: object): Promise<void> {
    while (this.holder !== undefined && this.holder !== connection) {
      await new Promise<void>((resume) => this.waiting.push(resume));
    }
    this.holder = connection;
  }

  isHeldBy(connection: object): boolean {
    return this.holder === connection;
  }

  /** Frees the session, if this connection holds it. */
  pass(connection: object): void {
    if (!this.isHeldBy(connection)) return;
    this.holder = undefined;
    this.waiting.shift()?.();
  }
}
