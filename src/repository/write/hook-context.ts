import type { Caller } from '../../engine';
import type { Tx } from '../../database/database';
import type {
  Key,
  Payload,
  RelatedReader,
  RelatedWriter,
  RowBefore,
  TransactionContext,
  UpdateContext,
  WriteContext,
} from '../write-context';
import type { CollectionWrite } from './collection-write';

/** What a hook is told, each time that one runs. */
export class HookContext implements WriteContext {
  readonly caller: Caller;
  readonly tx: Tx;
  readonly action: WriteContext['action'];
  readonly read: RelatedReader;
  readonly write: RelatedWriter;
  readonly system: TransactionContext['system'];
  readonly before: () => Promise<readonly RowBefore[]>;

  constructor(
    { context: contextOf, decision, before }: CollectionWrite,
    readonly keys: readonly Key[],
  ) {
    const context = contextOf();
    this.caller = context.caller;
    this.tx = context.tx;
    this.read = context.read;
    this.write = context.write;
    this.system = context.system;
    const { action } = decision;
    this.action = action === 'create' || action === 'delete' ? action : 'update';
    this.before = () => before.of(this.action === 'create' ? [] : keys);
  }
}

/** While hooks make up the payload: what they set is kept apart from what was sent. */
export class PayloadHookContext extends HookContext implements UpdateContext {
  /** The fields that some hook has set. */
  readonly names = new Set<string>();
  private pending: Payload = {};

  constructor(
    scope: CollectionWrite,
    keys: readonly Key[],
    readonly prepared: boolean,
  ) {
    super(scope, keys);
  }

  readonly set = (values: Payload): void => {
    const said = Object.entries(values).filter(([, value]) => value !== undefined);
    for (const [name] of said) this.names.add(name);
    this.pending = { ...this.pending, ...Object.fromEntries(said) };
  };

  /** The payload with what was set since it was asked last: for the hook that runs next. */
  withSet(payload: Payload): Payload {
    const { pending } = this;
    this.pending = {};
    return Object.keys(pending).length === 0 ? payload : { ...payload, ...pending };
  }
}
