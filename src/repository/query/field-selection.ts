import { withoutEmpty } from './parameters';
import type { RawQuery } from './query';

const STAR = '*';

/** @throws the error that refuses the answer, and with it the write */
export type AnswerCheck = (rows: readonly object[]) => void;

/**
 * What is requested of the rows of one collection, and below it of their related rows. Both transports build this tree
 * from what they received; no name in it has been looked up.
 */
export class FieldSelection {
  /** By the names that they are shown under. */
  private readonly below = new Map<string, FieldSelection>();
  private readonly requests = new Set<string>();
  private readonly restricted = new Set<string>();
  private readonly fields = new Map<string, string>();
  private check?: AnswerCheck;
  private key?: string;

  /** @param own which of the rows and in which order, as received: filter, search, sort, limit, offset, page */
  constructor(
    private own: RawQuery = {},
    private asObject = false,
  ) {}

  get rows(): RawQuery {
    return this.own;
  }

  /** A relation's name in a GraphQL document, in which its rows are asked for by arguments. */
  get written(): string | undefined {
    return this.key;
  }

  /** Checks the rows that a write is answered with, before it is committed. */
  get checkAnswer(): AnswerCheck | undefined {
    return this.check;
  }

  checkedBy(check: AnswerCheck): this {
    this.check = check;
    return this;
  }

  /** Whether its rows are shown as objects, even empty ones; a list that is not opened shows its rows' keys. */
  get opened(): boolean {
    return this.asObject || this.requests.size > 0;
  }

  /** The names that are requested, without the star, each as it is shown. */
  get requested(): readonly string[] {
    return [...this.requests].filter((as) => as !== STAR);
  }

  /** What the star requests: every column, and below every relation. */
  get star(): FieldSelection | undefined {
    return this.requests.has(STAR) ? this.at(STAR) : undefined;
  }

  /** The relations for which the query says which rows it wants. */
  get queried(): ReadonlySet<string> {
    return this.restricted;
  }

  /** Fields by the other names that they may be shown under. */
  get aliases(): ReadonlyMap<string, string> {
    return this.fields;
  }

  /**
   * The names of all that is requested, separated by commas; undefined where the query contains more than names of
   * fields.
   */
  get flat(): string | undefined {
    const more = this.fields.size > 0 || this.restricted.size > 0 || this.requests.has(STAR);
    if (more || this.requests.size === 0) return undefined;
    for (const inner of this.below.values()) if (inner.opened) return undefined;
    return [...this.requests].join(',');
  }

  fieldOf(as: string): string {
    return this.fields.get(as) ?? as;
  }

  /** Requests a field or relation. @returns the selection below it, to be added to */
  add(as: string): FieldSelection {
    this.requests.add(as);
    return this.at(as);
  }

  /** Like `add`, for a field below which nothing will be requested. */
  addField(as: string): void {
    this.requests.add(as);
  }

  /** Restricts the rows of a relation, whether the relation itself is requested or not. */
  query(as: string, rows: RawQuery): FieldSelection {
    this.restricted.add(as);
    const relation = this.at(as);
    relation.own = { ...relation.own, ...rows };
    return relation;
  }

  /**
   * Requests the rows that a field leads to, even if no field of them is requested.
   * @param rows which of them; as in the query of a list, an empty parameter counts as missing
   * @param written the name that the client gave them
   */
  addRelation(as: string, field: string, rows: RawQuery, written: string): FieldSelection {
    this.alias(as, field);
    this.add(as);
    const relation = this.query(as, withoutEmpty(rows)).open();
    relation.key = written;
    return relation;
  }

  alias(as: string, field: string): void {
    this.fields.set(as, field);
  }

  /** What is requested below a field by its own name. */
  namedAt(as: string): FieldSelection | undefined {
    return this.below.get(as);
  }

  /** Everything that is requested of a relation, by its own name and by the star together. */
  mergedAt(as: string): FieldSelection {
    const { star } = this;
    return star ? star.under(this.below.get(as)) : this.at(as);
  }

  /** Shows its rows as objects, even if no field of them is requested. */
  open(): this {
    this.asObject = true;
    return this;
  }

  private at(as: string): FieldSelection {
    const known = this.below.get(as);
    if (known) return known;
    const made = new FieldSelection();
    this.below.set(as, made);
    return made;
  }

  /** Merges both; where both specify something, the named one wins. */
  private under(named: FieldSelection | undefined): FieldSelection {
    if (!named) return this;
    const both = new FieldSelection({ ...this.own, ...named.own }, this.asObject || named.asObject);
    for (const part of [this, named]) {
      for (const as of part.requests) both.requests.add(as);
      for (const as of part.restricted) both.restricted.add(as);
      for (const [as, field] of part.fields) both.fields.set(as, field);
      for (const [as, inner] of part.below) {
        const known = both.below.get(as);
        both.below.set(as, known ? known.under(inner) : inner);
      }
    }
    return both;
  }
}
