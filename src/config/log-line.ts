import { inspect } from 'node:util';

type LogValues = Readonly<Record<string, string | number | undefined>>;

/** A line of the log: a text that says it all to a person, and values by name for whoever reads by machine. */
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

  /** How the logger of somebody else's application shows it. */
  [inspect.custom](): string {
    return this.message;
  }
}
