/** The `data` of an answer that is serialized already. `JSON.stringify` gives the same text again. */
export class WrittenData {
  [name: string]: unknown;

  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
