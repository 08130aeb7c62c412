/** The `data` of an answer that is serialized already; for `JSON.stringify` it is that data. */
export class SerializedData {
  [name: string]: unknown;

  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
