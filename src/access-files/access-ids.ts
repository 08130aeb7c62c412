import type { RoleFields, RuleFields } from './access-state';
import type { StoredAccess } from './compare';
import { type Reference, policyReference, roleReference, withIds } from './references';

/**
 * The ids of roles and policies by their keys: first those that are stored, then also those that are created. Payloads
 * name roles and policies by key; here the keys are replaced by ids.
 */
export class AccessIds {
  private readonly ids: Readonly<Record<'role' | 'policy', Map<string, string>>>;

  constructor({ roleIds, policyIds }: Pick<StoredAccess, 'roleIds' | 'policyIds'>) {
    this.ids = { role: new Map(roleIds), policy: new Map(policyIds) };
  }

  of(kind: 'role' | 'policy'): ReadonlyMap<string, string> {
    return this.ids[kind];
  }

  add(kind: 'role' | 'policy', key: string, id: string): void {
    this.ids[kind].set(key, id);
  }

  rolePayload(fields: Partial<RoleFields>): object {
    if (!fields.parent) return fields;
    return { ...fields, parent: this.ids.role.get(fields.parent) };
  }

  rulePayload(fields: Partial<RuleFields>): object {
    const filled = (['permissions', 'validation', 'presets'] as const).flatMap((name) => {
      const json = fields[name];
      return json ? [[name, withIds(json, (reference) => this.idOf(reference))] as const] : [];
    });
    return { ...fields, ...Object.fromEntries(filled) };
  }

  private idOf(reference: Reference): string {
    for (const [ids, refer] of [
      [this.ids.role, roleReference],
      [this.ids.policy, policyReference],
    ] as const) {
      for (const [key, id] of ids) if (refer(key) === reference) return id;
    }
    throw new Error(`${reference} is not there`);
  }
}
