import { inspect } from 'node:util';

type LogValues = Readonly<Record<string, string | number | undefined>>;

/** A line of the log: a complete text for people, and the same values by name for programs. */
export class LogLine {
  constructor(
    readonly message: string,
    values: LogValues,
  ) {
    Object.assign(this, values);
  }

  toString(): string {
    return this.message;
  }

  /** How the logger of a host application shows it. */
  [inspect.custom](): string {
    return this.message;
  }
}
