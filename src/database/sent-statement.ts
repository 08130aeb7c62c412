import type { QueryConfig } from 'pg';
import type { typeParsers } from './type-parsers';

/** One statement, and how to read its answer. */
export interface Sending {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Milliseconds to wait for its answer. */
  readonly timeoutMs?: number | undefined;
  readonly asLists?: boolean;
  readonly types?: typeof typeParsers | undefined;
}

/**
 * A statement in the driver's form. The driver copies all own properties with their descriptors, which is the largest
 * cost of a small statement: so there are hardly any.
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

  /** Read by the driver, but missing in its types. */
  get query_timeout(): number | undefined {
    return this.sending.timeoutMs;
  }
}
