import type { RoleFields, RuleFields } from './access-state';
import type { StoredAccess } from './compare';
import { type Reference, policyReference, roleReference, withIds } from './references';

const REFERENCES = { role: roleReference, policy: policyReference } as const;

/**
 * The ids of roles and policies by their keys: first those that are stored, then also those that are created. Payloads
 * name roles and policies by key; here the keys are replaced by ids.
 */
export class AccessIds {
  private readonly ids = { role: new Map<string, string>(), policy: new Map<string, string>() };
  private readonly byReference = new Map<Reference, string>();

  constructor({ roleIds, policyIds }: Pick<StoredAccess, 'roleIds' | 'policyIds'>) {
    for (const [key, id] of roleIds) this.add('role', key, id);
    for (const [key, id] of policyIds) this.add('policy', key, id);
  }

  of(kind: 'role' | 'policy'): ReadonlyMap<string, string> {
    return this.ids[kind];
  }

  add(kind: 'role' | 'policy', key: string, id: string): void {
    this.ids[kind].set(key, id);
    this.byReference.set(REFERENCES[kind](key), id);
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
    const id = this.byReference.get(reference);
    if (id !== undefined) return id;
    throw new Error(`${reference} is not there`);
  }
}
