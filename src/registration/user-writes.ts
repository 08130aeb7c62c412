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

/** Work in the transaction of a create. An error in a step rolls it back. */
interface Creating {
  /** Before any user is created. */
  before?(tx: Queries): Promise<void>;
  /** The status of the created users, whether or not the caller may set it; rules still judge it. */
  readonly status?: User['status'];
  /** After the users are created. */
  created?(users: readonly string[], tx: Queries): Promise<void>;
}

/** Work in the transaction of an update. */
interface Changing {
  readonly user: string;
  /** Before the user is changed; its row is locked. @returns the values to change, beside those that hooks add */
  changing(tx: Queries): Promise<Payload>;
}

const COLLECTION = 'service_users';

/**
 * Writes users in the ordinary way (hooks, constraints, the log), with additional steps in the same transaction. They
 * concern the intended write alone: what a team's hooks write in the caller's name meanwhile is a write like any other.
 */
@HooksOf(User)
export class UserWrites implements CollectionHooks {
  /** By the caller, while the write runs. */
  private readonly statuses = new WeakMap<Caller, User['status']>();
  private readonly changes = new WeakMap<Caller, Changing>();

  constructor(
    private readonly collections: Collections,
    private readonly fields: RequiredUserFields,
  ) {}

  /**
   * Creates users under the caller's rules, all or none.
   * @param options with `dryRun` no one is created, and the errors are still thrown
   */
  async create(
    caller: Caller,
    payloads: readonly Payload[],
    steps: Creating,
    options: TransactionOptions = {},
  ): Promise<void> {
    const work: TransactionWork<void> = async ({ write, tx }) => {
      await steps.before?.(tx);
      const users = await write.create(COLLECTION, payloads);
      await steps.created?.(users.map(String), tx);
    };
    const make = (): Promise<void> => this.collections.transaction(caller, work, options);
    // Required fields are given by the person who accepts.
    const exempted = (): Promise<void> => this.fields.exempting(caller, make);
    await during(this.statuses, [caller, steps.status], exempted);
  }

  /** Creates one in the service's own name. @param reason for the log */
  createAsSystem(reason: string, payload: Payload, steps: Creating): Promise<void> {
    return this.create(this.collections.asSystem(reason), [payload], steps);
  }

  /** Changes one in the service's own name. @throws Forbidden where it does not exist */
  async updateAsSystem(reason: string, change: Changing): Promise<Answer | undefined> {
    const caller = this.collections.asSystem(reason);
    const query = { fields: 'id,status' };
    return during(this.changes, [caller, change], () =>
      this.collections.service(COLLECTION).updateOne(caller, change.user, {}, query),
    );
  }

  toStored(values: Values, { caller, action, byHook }: WriteContext): Values {
    const status = action === 'create' && !byHook ? this.statuses.get(caller) : undefined;
    return status === undefined ? values : new Map(values).set('status', status);
  }

  async beforeUpdate(
    payload: Payload,
    keys: readonly Key[],
    { caller, byHook, tx }: UpdateContext,
  ): Promise<Payload> {
    const change = byHook ? undefined : this.changes.get(caller);
    if (!change || !keys.includes(change.user)) return payload;
    // Hooks of teams have run before, and may have added values.
    return { ...payload, ...(await change.changing(tx)) };
  }
}

async function during<Value, T>(
  values: WeakMap<Caller, Value>,
  [caller, value]: readonly [Caller, Value | undefined],
  work: () => Promise<T>,
): Promise<T> {
  if (value !== undefined) values.set(caller, value);
  try {
    return await work();
  } finally {
    values.delete(caller);
  }
}
