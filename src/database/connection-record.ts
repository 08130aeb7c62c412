import type { FieldDef } from 'pg';
import type { Prepared } from './sent-statements';

/** How many prepared statements, and bytes of them, a connection may hold before it is replaced. */
const MAX_PREPARED = 1_000;
const MAX_TEXT = 500_000;
/** How many columns of its prepared statements are remembered for a connection: each takes some 120 bytes. */
const MAX_COLUMNS = 2_000;
/**
 * Statements whose columns the server guarantees to stay the same while they are prepared; those of FETCH or EXECUTE
 * may change.
 */
const FIXED =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|VALUES|TABLE|BEGIN|COMMIT|ROLLBACK)\b/i;

/** What is known about a connection: the statements that were prepared on it. */
export class ConnectionRecord {
  private readonly statements = new Map<string, Prepared>();
  /** The bytes of the texts of all its prepared statements. */
  private text = 0;
  /** How many columns of them are remembered. */
  private columns = 0;

  /** @param losses how often the connection to the server had been lost when this one was opened */
  constructor(readonly losses: number) {}

  get isFull(): boolean {
    return this.statements.size > MAX_PREPARED || this.text > MAX_TEXT;
  }

  /** The statement under this name, which is its first time where it was not prepared before. */
  prepared(name: string, text: string): Prepared {
    const known = this.statements.get(name);
    if (known) return known;
    const statement = new KeptStatement(name, FIXED.test(text), (more) => this.mayKeep(more));
    this.statements.set(name, statement);
    this.text += text.length;
    return statement;
  }

  private mayKeep(more: number): boolean {
    const columns = this.columns + more;
    if (columns > MAX_COLUMNS) return false;
    this.columns = columns;
    return true;
  }
}

class KeptStatement implements Prepared {
  fields: FieldDef[] | undefined;

  constructor(
    readonly name: string,
    private readonly isFixed: boolean,
    private readonly mayKeep: (moreColumns: number) => boolean,
  ) {}

  keep(fields: FieldDef[]): void {
    if (!this.isFixed || !this.mayKeep(fields.length - (this.fields?.length ?? 0))) return;
    this.fields = fields;
  }
}
