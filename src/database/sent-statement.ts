import type { QueryConfig } from 'pg';
import type { typeParsers } from './type-parsers';

/** One statement, and how its answer is read. */
export interface Sending {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Milliseconds after which its answer is not waited for any longer. */
  readonly timeoutMs?: number | undefined;
  readonly asLists?: boolean;
  readonly types?: typeof typeParsers | undefined;
}

/**
 * A statement as the driver takes it. The driver copies what is an object's own with all its descriptors, which takes
 * longer than anything else that is done with a small statement: so hardly anything is.
 */
export class SentStatement implements QueryConfig {
  constructor(private readonly sending: Sending) {}

  get name(): string | undefined {
    return this.sending.name;
  }

  get text(): string {
    return this.sending.text;
  }

  get values(): unknown[] | undefined {
    return this.sending.values as unknown[] | undefined;
  }

  get types(): typeof typeParsers | undefined {
    return this.sending.types;
  }

  get rowMode(): 'array' | undefined {
    return this.sending.asLists === true ? 'array' : undefined;
  }

  /** Known to the driver, not to its types. */
  get query_timeout(): number | undefined {
    return this.sending.timeoutMs;
  }
}
