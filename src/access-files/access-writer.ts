import type { Queries } from '../database';
import type { Key, RelatedWriter } from '../repository';
import { AccessIds } from './access-ids';
import type { Change, StoredAccess } from './compare';
import { keepKeys } from './keep-keys';

/** How many rows are written in one call. */
const BATCH_SIZE = 500;

const ROLES = 'service_roles';
const POLICIES = 'service_policies';
const ACCESS = 'service_access';
const RULES = 'service_permissions';

type OfKind<K extends Change['kind']> = Extract<Change, { readonly kind: K }>;

/** Writes changes to the database: first the rows that others refer to, deletions last. */
export class AccessWriter {
  private readonly ids: AccessIds;

  constructor(
    private readonly changes: readonly Change[],
    private readonly stored: StoredAccess,
    private readonly write: RelatedWriter,
    private readonly tx: Queries,
  ) {
    this.ids = new AccessIds(stored);
  }

  /** @param keys the keys of all roles and policies in the file */
  async run(keys: {
    readonly roles: Iterable<string>;
    readonly policies: Iterable<string>;
  }): Promise<void> {
    await this.createPolicies();
    await this.createRoles();
    await this.keepFoundKeys('role', this.stored.keyless.roles, keys.roles);
    await this.keepFoundKeys('policy', this.stored.keyless.policies, keys.policies);
    await this.updateFields();
    await this.writeGrants();
    await this.writeRules();
    await this.delete(ROLES, this.of('role', 'delete'));
    await this.delete(POLICIES, this.of('policy', 'delete'));
  }

  private of<K extends Change['kind']>(kind: K, action: Change['action']): OfKind<K>[] {
    return this.changes.filter(
      (change): change is OfKind<K> => change.kind === kind && change.action === action,
    );
  }

  private async createPolicies(): Promise<void> {
    const made = this.of('policy', 'create');
    const ids = await this.create(
      POLICIES,
      made.map(({ to }) => ({ ...to })),
    );
    await this.addKeys(
      'policy',
      made.map(({ key }) => key),
      ids,
    );
  }

  /** Parents before their children. */
  private async createRoles(): Promise<void> {
    let left = this.of('role', 'create');
    while (left.length > 0) {
      const ready = left.filter(({ to }) => !to?.parent || this.ids.of('role').has(to.parent));
      if (ready.length === 0) throw new Error('Roles whose parents are not there');
      const ids = await this.create(
        ROLES,
        ready.map(({ to }) => this.ids.rolePayload({ ...to })),
      );
      await this.addKeys(
        'role',
        ready.map(({ key }) => key),
        ids,
      );
      left = left.filter((each) => !ready.includes(each));
    }
  }

  private async addKeys(
    kind: 'role' | 'policy',
    keys: readonly string[],
    ids: readonly Key[],
  ): Promise<void> {
    for (const [at, key] of keys.entries()) this.ids.add(kind, key, String(ids[at]));
    await keepKeys(this.tx, kind, keys, this.ids.of(kind));
  }

  /** Stores the keys of the roles or policies that were found by name, as far as the file names them too. */
  private async keepFoundKeys(
    kind: 'role' | 'policy',
    keyless: readonly string[],
    wanted: Iterable<string>,
  ): Promise<void> {
    const known = new Set(wanted);
    await keepKeys(
      this.tx,
      kind,
      keyless.filter((key) => known.has(key)),
      this.ids.of(kind),
    );
  }

  private async updateFields(): Promise<void> {
    for (const change of this.parentsFirst(this.of('role', 'update'))) {
      await this.write.update(ROLES, [idOf(change)], this.ids.rolePayload(changed(change)));
    }
    for (const change of this.of('policy', 'update')) {
      await this.write.update(POLICIES, [idOf(change)], changed(change));
    }
  }

  /** Ancestors before descendants, so that no role is its own ancestor in between. */
  private parentsFirst(roles: readonly OfKind<'role'>[]): OfKind<'role'>[] {
    const known = new Map(roles.map((change) => [change.key, change]));
    const ordered = new Set<string>();
    for (const { key } of roles) {
      const line: string[] = [];
      let next: string | null | undefined = key;
      while (next && !ordered.has(next)) {
        line.push(next);
        next = (known.get(next)?.to ?? this.stored.state.roles.get(next)?.fields)?.parent;
      }
      for (const each of line.toReversed()) ordered.add(each);
    }
    return [...ordered].flatMap((key) => known.get(key) ?? []);
  }

  private async writeGrants(): Promise<void> {
    await this.delete(ACCESS, this.of('grant', 'delete'));
    for (const change of this.of('grant', 'update')) {
      await this.write.update(ACCESS, [idOf(change)], changed(change));
    }
    const made = this.of('grant', 'create').map(({ role, policy, to }) => ({
      role: role === null ? null : this.ids.of('role').get(role),
      ...to,
      policy: this.ids.of('policy').get(policy),
    }));
    await this.create(ACCESS, made);
  }

  private async writeRules(): Promise<void> {
    await this.delete(RULES, this.of('rule', 'delete'));
    for (const change of this.of('rule', 'update')) {
      await this.write.update(RULES, [idOf(change)], this.ids.rulePayload(changed(change)));
    }
    const made = this.of('rule', 'create').map(({ policy, to }) => ({
      ...this.ids.rulePayload({ ...to }),
      policy: this.ids.of('policy').get(policy),
    }));
    await this.create(RULES, made);
  }

  private async create(collection: string, payloads: readonly object[]): Promise<Key[]> {
    const keys: Key[] = [];
    for (let at = 0; at < payloads.length; at += BATCH_SIZE) {
      keys.push(...(await this.write.create(collection, payloads.slice(at, at + BATCH_SIZE))));
    }
    return keys;
  }

  private async delete(collection: string, changes: readonly Change[]): Promise<void> {
    if (changes.length > 0) await this.write.delete(collection, changes.map(idOf));
  }
}

/** The id of an existing row. */
function idOf({ id, kind, key }: Change): Key {
  if (id === undefined) throw new Error(`The ${kind} ${key} has no id`);
  return id;
}

function changed<F extends object>(change: {
  readonly to?: F;
  readonly fields: readonly string[];
}): Partial<F> {
  const { to, fields } = change;
  const members = Object.entries(to ?? {}).filter(([name]) => fields.includes(name));
  return Object.fromEntries(members) as Partial<F>;
}
