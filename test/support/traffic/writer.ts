import { Ledger, type ReadRow, type State } from './ledger';
import type { Person } from './people';
import type { Outcome, Sender } from './sender';
import type { Tally } from './tally';

const MOST_ROWS = 150;
const FIELDS = 'id,title,qty,status,owner';
const QUERY = encodeURIComponent(JSON.stringify({ status: { _neq: 'archived' } }));

interface OwnedRow extends ReadRow {
  readonly owner: string | { readonly id: string };
}

/**
 * A user who writes articles over REST and GraphQL, one request after the other, and compares what is read with what
 * was acknowledged. So each read must show everything that was written before it, whichever instance answers.
 */
export class Writer {
  readonly ledger = new Ledger();
  private number = 0;

  constructor(
    readonly person: Person,
    private readonly sender: Sender,
    private readonly tally: Tally,
    /** The other writers, whose rows are not visible to this one. */
    private readonly others: () => readonly Writer[],
  ) {}

  async step(): Promise<void> {
    const { certain } = this.ledger;
    const row = certain[Math.floor(Math.random() * certain.length)];
    const kind = Math.floor(Math.random() * 10);
    if (row === undefined || kind < 2) return this.create(kind === 0);
    if (certain.length > MOST_ROWS) return this.remove(certain[0] ?? row);
    if (kind < 4) return this.change(row, kind === 2);
    if (kind === 4) return this.remove(row);
    if (kind === 5) return this.readOthers();
    if (kind === 6) return this.readOne(row);
    return this.readAll(kind);
  }

  /** @returns the faults in all current rows; undefined if they cannot be read */
  async review(sender: Sender = this.sender): Promise<string[] | undefined> {
    const outcome = await sender.send('GET', `/items/articles?limit=-1&fields=${FIELDS}`);
    return outcome.status === 200 ? this.ledger.faultsInAll(this.owned(outcome.data)) : undefined;
  }

  private async create(byGraphql: boolean): Promise<void> {
    const title = `${this.person.email} ${(this.number += 1)}`;
    const state: State = { title, qty: this.number % 100, status: 'draft' };
    const outcome = byGraphql
      ? await this.sender.graphql(
          `mutation { create_articles_item(data: {title: "${title}", qty: ${state.qty}}) { id title qty status } }`,
        )
      : await this.sender.send('POST', '/items/articles', { title, qty: state.qty });
    if (!this.isDone(outcome, () => this.ledger.maybeCreated(state))) return;
    const { create_articles_item: made = outcome.data } = outcome.data as {
      create_articles_item?: unknown;
    };
    this.ledger.created(Number((made as { id: unknown }).id), state);
    this.compare([asRow(made as ReadRow)]);
  }

  private async change({ id, ...old }: ReadRow, byGraphql: boolean): Promise<void> {
    const qty = old.qty + 1;
    const status = byGraphql || old.status === 'published' ? old.status : 'published';
    const state = { ...old, qty, status };
    const outcome = byGraphql
      ? await this.sender.graphql(
          `mutation { update_articles_item(id: ${id}, data: {qty: ${qty}}) { id } }`,
        )
      : await this.sender.send('PATCH', `/items/articles/${id}`, { qty, status });
    if (!this.isDone(outcome, () => this.ledger.maybeChanged(id, state))) return;
    this.ledger.changed(id, state);
  }

  private async remove({ id }: ReadRow): Promise<void> {
    const outcome = await this.sender.send('DELETE', `/items/articles/${id}`);
    if (this.isDone(outcome, () => this.ledger.maybeChanged(id, undefined))) {
      this.ledger.changed(id, undefined);
    }
  }

  /** @returns whether a write was acknowledged */
  private isDone({ known, status }: Outcome, doubt: () => void): boolean {
    if (!known) {
      this.tally.unknown += 1;
      doubt();
      return false;
    }
    if (status === 200 || status === 204) this.tally.acknowledged += 1;
    else {
      doubt();
      this.tally.fault(`${this.person.email}: a write was answered with ${status}`);
      return false;
    }
    return true;
  }

  private async readOne(row: ReadRow): Promise<void> {
    const outcome = await this.sender.send('GET', `/items/articles/${row.id}?fields=${FIELDS}`);
    if (this.isAnswered(outcome, 200)) this.compare(this.owned([outcome.data]));
  }

  private async readOthers(): Promise<void> {
    const rows = this.others().flatMap(({ ledger }) => ledger.certain.slice(-1));
    const row = rows[Math.floor(Math.random() * rows.length)];
    if (!row) return;
    this.isAnswered(await this.sender.send('GET', `/items/articles/${row.id}`), 403);
  }

  private async readAll(kind: number): Promise<void> {
    const outcome = await this.ask(kind);
    if (!this.isAnswered(outcome, 200)) return;
    const { articles = outcome.data } = outcome.data as { articles?: unknown };
    for (const fault of this.ledger.faultsInAll(this.owned(articles))) this.fault(fault);
  }

  private ask(kind: number): Promise<Outcome> {
    if (kind === 7) {
      return this.sender.graphql(
        '{ articles(limit: -1, sort: ["-id"]) { id title qty status owner { id } } }',
      );
    }
    if (kind === 8) {
      const query = { limit: -1, fields: FIELDS.split(',') };
      return this.sender.send('SEARCH', '/items/articles', { query });
    }
    return this.sender.send(
      'GET',
      `/items/articles?limit=-1&fields=${FIELDS}&sort=title&filter=${QUERY}`,
    );
  }

  private isAnswered({ known, status }: Outcome, expected: number): boolean {
    if (!known) return false;
    this.tally.compared += 1;
    if (status !== expected) this.fault(`a read was answered with ${status}, not ${expected}`);
    return status === expected && status === 200;
  }

  private owned(data: unknown): ReadRow[] {
    const rows = data as readonly OwnedRow[];
    for (const { id, owner } of rows) {
      const owns = typeof owner === 'object' ? owner.id : owner;
      if (owns !== this.person.id) this.fault(`was shown ${id}, which is ${owns}'s`);
    }
    return rows.map(asRow);
  }

  private compare(rows: readonly ReadRow[]): void {
    for (const fault of this.ledger.faultsIn(rows)) this.fault(fault);
  }

  private fault(text: string): void {
    this.tally.fault(`${this.person.email} ${text}`);
  }
}

/** Over GraphQL keys are text. */
const asRow = ({ id, title, qty, status }: ReadRow): ReadRow => ({
  id: Number(id),
  title,
  qty,
  status,
});
