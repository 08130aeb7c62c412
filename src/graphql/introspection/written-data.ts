/** The `data` of an answer that is written already. Whoever writes it once more without knowing gets the same. */
export class WrittenData {
  [name: string]: unknown;

  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
