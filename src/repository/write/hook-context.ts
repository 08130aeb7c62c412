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

/** What a hook receives; one object per call. */
export class HookContext implements WriteContext {
  readonly caller: Caller;
  readonly tx: Tx;
  readonly action: WriteContext['action'];
  readonly byHook: boolean;
  readonly read: RelatedReader;
  readonly write: RelatedWriter;
  readonly system: TransactionContext['system'];
  readonly before: () => Promise<readonly RowBefore[]>;
  readonly once: WriteContext['once'];

  constructor(
    { context: contextOf, decision, before, byHook, lookUps }: CollectionWrite,
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
    this.byHook = byHook;
    this.before = () => before.of(this.action === 'create' ? [] : keys);
    this.once = (lookUp) => lookUps().once(lookUp, context);
  }
}

/** For hooks that may change the payload: the values that they set are kept separate from those that were sent. */
export class PayloadHookContext extends HookContext implements UpdateContext {
  /** The fields that hooks have set. */
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
    const defined = Object.entries(values).filter(([, value]) => value !== undefined);
    for (const [name] of defined) this.names.add(name);
    this.pending = { ...this.pending, ...Object.fromEntries(defined) };
  };

  /** The payload with what was set since the last call, for the next hook. */
  withSet(payload: Payload): Payload {
    const { pending } = this;
    this.pending = {};
    return Object.keys(pending).length === 0 ? payload : { ...payload, ...pending };
  }
}
