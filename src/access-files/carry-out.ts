import type { Queries } from '../database';
import type { Key, RelatedWriter } from '../repository';
import type { RoleFields, RuleFields } from './access-state';
import type { Change, StoredAccess } from './compare';
import { keepKeys } from './keep-keys';
import { type Reference, policyReference, roleReference, withIds } from './references';

/** Rows that are written at once. */
const AT_ONCE = 500;

const ROLES = 'service_roles';
const POLICIES = 'service_policies';
const ACCESS = 'service_access';
const RULES = 'service_permissions';

type OfKind<K extends Change['kind']> = Extract<Change, { readonly kind: K }>;

/** Writes changes: first the rows that others refer to, deletions last. */
export class AccessWriting {
  private readonly roleIds: Map<string, string>;
  private readonly policyIds: Map<string, string>;

  constructor(
    private readonly changes: readonly Change[],
    private readonly stored: StoredAccess,
    private readonly write: RelatedWriter,
    private readonly tx: Queries,
  ) {
    this.roleIds = new Map(stored.roleIds);
    this.policyIds = new Map(stored.policyIds);
  }

  /** @param keys of the roles and policies in the file */
  async run(keys: {
    readonly roles: Iterable<string>;
    readonly policies: Iterable<string>;
  }): Promise<void> {
    await this.createPolicies();
    await this.createRoles();
    await this.keep('role', this.stored.keyless.roles, keys.roles);
    await this.keep('policy', this.stored.keyless.policies, keys.policies);
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
    await this.learn(
      'policy',
      made.map(({ key }) => key),
      ids,
    );
  }

  /** Parents before children. */
  private async createRoles(): Promise<void> {
    let left = this.of('role', 'create');
    while (left.length > 0) {
      const ready = left.filter(({ to }) => !to?.parent || this.roleIds.has(to.parent));
      if (ready.length === 0) throw new Error('Roles whose parents are not there');
      const ids = await this.create(
        ROLES,
        ready.map(({ to }) => this.rolePayload({ ...to })),
      );
      await this.learn(
        'role',
        ready.map(({ key }) => key),
        ids,
      );
      left = left.filter((each) => !ready.includes(each));
    }
  }

  private async learn(
    kind: 'role' | 'policy',
    keys: readonly string[],
    ids: readonly Key[],
  ): Promise<void> {
    const known = kind === 'role' ? this.roleIds : this.policyIds;
    for (const [at, key] of keys.entries()) known.set(key, String(ids[at]));
    await keepKeys(this.tx, kind, keys, known);
  }

  /** Of what was found by its name, if the file has it too. */
  private async keep(
    kind: 'role' | 'policy',
    keyless: readonly string[],
    wanted: Iterable<string>,
  ): Promise<void> {
    const known = new Set(wanted);
    const ids = kind === 'role' ? this.roleIds : this.policyIds;
    await keepKeys(
      this.tx,
      kind,
      keyless.filter((key) => known.has(key)),
      ids,
    );
  }

  private async updateFields(): Promise<void> {
    for (const change of this.parentsFirst(this.of('role', 'update'))) {
      await this.write.update(ROLES, [idOf(change)], this.rolePayload(changed(change)));
    }
    for (const change of this.of('policy', 'update')) {
      await this.write.update(POLICIES, [idOf(change)], changed(change));
    }
  }

  /** Ancestors first: no role becomes its own ancestor in between. */
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
      ...{ role: role === null ? null : this.roleIds.get(role), ...to },
      policy: this.policyIds.get(policy),
    }));
    await this.create(ACCESS, made);
  }

  private async writeRules(): Promise<void> {
    await this.delete(RULES, this.of('rule', 'delete'));
    for (const change of this.of('rule', 'update')) {
      await this.write.update(RULES, [idOf(change)], this.rulePayload(changed(change)));
    }
    const made = this.of('rule', 'create').map(({ policy, to }) => ({
      ...this.rulePayload({ ...to }),
      policy: this.policyIds.get(policy),
    }));
    await this.create(RULES, made);
  }

  private async create(collection: string, payloads: readonly object[]): Promise<Key[]> {
    const keys: Key[] = [];
    for (let at = 0; at < payloads.length; at += AT_ONCE) {
      keys.push(...(await this.write.create(collection, payloads.slice(at, at + AT_ONCE))));
    }
    return keys;
  }

  private async delete(collection: string, changes: readonly Change[]): Promise<void> {
    if (changes.length > 0) await this.write.delete(collection, changes.map(idOf));
  }

  private rolePayload(fields: Partial<RoleFields>): object {
    if (!fields.parent) return fields;
    return { ...fields, parent: this.roleIds.get(fields.parent) };
  }

  private rulePayload(fields: Partial<RuleFields>): object {
    const filled = (['permissions', 'validation', 'presets'] as const).flatMap((name) => {
      const json = fields[name];
      return json ? [[name, withIds(json, (reference) => this.idOf(reference))] as const] : [];
    });
    return { ...fields, ...Object.fromEntries(filled) };
  }

  private idOf(reference: Reference): string {
    for (const [ids, refer] of [
      [this.roleIds, roleReference],
      [this.policyIds, policyReference],
    ] as const) {
      for (const [key, id] of ids) if (refer(key) === reference) return id;
    }
    throw new Error(`${reference} is not there`);
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
