import {
  type Answer,
  Collections,
  HooksOf,
  type TransactionOptions,
  type TransactionWork,
} from '../collections';
import type { Queries } from '../database';
import type { Caller } from '../engine';
import type {
  CollectionHooks,
  Key,
  Payload,
  UpdateContext,
  Values,
  WriteContext,
} from '../repository';
import { RequiredUserFields, User } from '../users';

/** Work in the transaction of a write. An error in a step rolls the write back. */
interface Steps {
  /** Before any user is created. */
  before?(tx: Queries): Promise<void>;
  /** The status of created users, whether or not the caller may set it; rules still judge it. */
  readonly status?: User['status'];
  /** After users are created. */
  created?(users: readonly string[], tx: Queries): Promise<void>;
  /** Before a user is changed; its row is locked. @returns the values to change, beside those that hooks add */
  changing?(tx: Queries): Promise<Payload>;
}

const COLLECTION = 'service_users';

/** Writes users in the ordinary way (hooks, constraints, the log), with additional steps in the same transaction. */
@HooksOf(User)
export class UserWrites implements CollectionHooks {
  /** By the caller, while the write runs. */
  private readonly steps = new WeakMap<Caller, Steps>();

  constructor(
    private readonly collections: Collections,
    private readonly fields: RequiredUserFields,
  ) {}

  /**
   * Creates users under the caller's rules, all or none.
   * @param options with `rehearsal` no one is created, and the errors are still thrown
   */
  async create(
    caller: Caller,
    payloads: readonly Payload[],
    steps: Steps,
    options: TransactionOptions = {},
  ): Promise<void> {
    const work: TransactionWork<unknown> = async ({ write, tx }) => {
      await steps.before?.(tx);
      return write.create(COLLECTION, payloads);
    };
    const make = (): Promise<unknown> => this.collections.transaction(caller, work, options);
    // Required fields are given by the person who accepts.
    await this.during(caller, steps, () => this.fields.exempting(caller, make));
  }

  /** Creates one in the service's own name. @param reason for the log */
  createAsSystem(reason: string, payload: Payload, steps: Steps): Promise<void> {
    return this.create(this.collections.asSystem(reason), [payload], steps);
  }

  /** Changes one in the service's own name. @throws Forbidden where it does not exist */
  async updateAsSystem(
    reason: string,
    user: string,
    changing: Required<Steps>['changing'],
  ): Promise<Answer | undefined> {
    const caller = this.collections.asSystem(reason);
    const query = { fields: 'id,status' };
    return this.during(caller, { changing }, () =>
      this.collections.service(COLLECTION).updateOne(caller, user, {}, query),
    );
  }

  toStored(values: Values, { caller }: WriteContext): Values {
    const status = this.steps.get(caller)?.status;
    return status === undefined ? values : new Map(values).set('status', status);
  }

  async afterCreate(keys: readonly Key[], { caller, tx }: WriteContext): Promise<void> {
    await this.steps.get(caller)?.created?.(keys.map(String), tx);
  }

  async beforeUpdate(
    payload: Payload,
    _keys: readonly Key[],
    { caller, tx }: UpdateContext,
  ): Promise<Payload> {
    const changed = await this.steps.get(caller)?.changing?.(tx);
    // Hooks of teams have run before, and may have added values.
    return changed ? { ...payload, ...changed } : payload;
  }

  private async during<T>(caller: Caller, steps: Steps, work: () => Promise<T>): Promise<T> {
    this.steps.set(caller, steps);
    try {
      return await work();
    } finally {
      this.steps.delete(caller);
    }
  }
}
