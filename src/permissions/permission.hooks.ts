import {
  AccessFault,
  type CollectionHooks,
  CollectionRegistry,
  HooksOf,
  type Key,
  parseRule,
  type WriteContext,
} from '../collections';
import { InvalidPayload } from '../common/errors';
import { readFlags } from './flag-body';
import { resolveRole } from './own-policy';
import { normalise, type Payload } from './permission-payload';
import { Permission } from './permission.entity';
import { readStoredRules } from './stored-rules';

/** A rule is checked against the collections that exist before it is kept: none is stored that silently never works. */
@HooksOf(Permission)
export class PermissionHooks implements CollectionHooks {
  constructor(private readonly registry: CollectionRegistry) {}

  async beforeCreate(payload: Payload, context: WriteContext): Promise<Payload> {
    return resolveRole(normalise(readFlags(payload, undefined, this.fieldsOf)), context);
  }

  async beforeUpdate(
    payload: Payload,
    keys: readonly Key[],
    context: WriteContext,
  ): Promise<Payload> {
    const [stored, second] = await readStoredRules(context.tx, keys);
    return resolveRole(
      normalise(readFlags(payload, second ? undefined : stored, this.fieldsOf)),
      context,
    );
  }

  afterCreate(keys: readonly Key[], context: WriteContext): Promise<void> {
    return this.check(keys, context);
  }

  afterUpdate(keys: readonly Key[], context: WriteContext): Promise<void> {
    return this.check(keys, context);
  }

  private readonly fieldsOf = (collection: unknown): readonly string[] =>
    typeof collection === 'string' ? [...(this.registry.get(collection)?.fields.keys() ?? [])] : [];

  /** Judges the rules as they are stored, so that what an update leaves alone still fits what it changes. */
  private async check(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    for (const source of await readStoredRules(tx, keys)) {
      try {
        parseRule(source, this.registry);
      } catch (error) {
        if (!(error instanceof AccessFault)) throw error;
        throw new InvalidPayload({ field: error.path.join('.'), reason: describe(error) });
      }
    }
  }
}

/** Whoever writes rules may know which names there are: the administrator is told which one is wrong. */
function describe({ reason, subject }: AccessFault): string {
  if (!subject) return reason;
  const { collection, field } = subject;
  return field === undefined
    ? `names the collection "${collection}", which does not exist`
    : `names the field "${field}", which "${collection}" does not have or conceals`;
}
