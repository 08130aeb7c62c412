import type { DatabaseError } from 'pg';
import type { Change, Key, LogEntry, RelatedWriter } from '../hooks';
import { isOf } from './constrained-fields';
import type { Written } from './constraint-fault';
import { ChangeLog } from './change-log';
import type { Plan, Update } from './plan';
import { Planner } from './planner';
import { PlanRun } from './run-plan';
import type { WriteRequest } from './collection-write';

/**
 * The writes of one request: one caller, one transaction, any number of collections. Each is planned as a whole, and
 * the plan is run; when the last has been run, all that was written is judged.
 */
export class Writer implements RelatedWriter {
  private readonly request: WriteRequest;
  private readonly runs: PlanRun;
  private readonly nested = { count: 0 };

  constructor(request: Omit<WriteRequest, 'write' | 'log'>) {
    this.request = { ...request, write: this, log: new ChangeLog() };
    this.runs = new PlanRun(this.request);
  }

  /** What was written, in order. */
  get changes(): readonly Change[] {
    return this.runs.changes;
  }

  /** The same row by row. */
  get entries(): readonly LogEntry[] {
    return this.request.log.entries;
  }

  /** Collections of which more rows went with others than the entries tell. */
  get unlisted(): readonly string[] {
    return [...this.request.log.unlisted].map(({ name }) => name);
  }

  async create(collection: string, payloads: readonly unknown[]): Promise<Key[]> {
    return this.run(await this.plan().create(collection, payloads));
  }

  update(collection: string, keys: readonly Key[], payload: unknown): Promise<Key[]> {
    return this.updateEach(collection, [{ keys, payload }]);
  }

  async updateEach(collection: string, updates: readonly Update[]): Promise<Key[]> {
    return this.run(await this.plan().update(collection, updates));
  }

  async delete(collection: string, keys: readonly Key[]): Promise<void> {
    await this.run(await this.plan().delete(collection, keys));
  }

  judge(): Promise<void> {
    return this.runs.judge();
  }

  /** What the request wrote to the table that the database speaks of. */
  writtenTo(error: DatabaseError): Written | undefined {
    const { registry, caller } = this.request;
    for (const { collection: name, action } of this.changes) {
      const collection = registry.get(name);
      const decision = caller.decide(name, action);
      if (collection && decision && isOf(error, collection)) return { collection, decision };
    }
    return undefined;
  }

  private plan(): Planner {
    return new Planner(this.request, this.nested);
  }

  private async run(plan: Plan): Promise<Key[]> {
    return [...(await this.runs.run(plan))];
  }
}
