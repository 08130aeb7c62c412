import { Injectable } from '@nestjs/common';
import { ManagedByModule } from '../../common/errors';
import { valuesAt } from '../../common/values-at';
import type { Queries } from '../../database';
import type { Caller } from '../../engine';
import type { Key } from '../../repository';

const MANAGED = {
  service_roles: 'SELECT id, managed FROM service_roles WHERE id = ANY($1::uuid[])',
  service_policies: 'SELECT id, managed FROM service_policies WHERE id = ANY($1::uuid[])',
  service_access: 'SELECT id, managed FROM service_access WHERE id = ANY($1::uuid[])',
  // A rule is managed where its policy is.
  service_permissions: `SELECT rule.id, policy.managed FROM service_permissions rule
    JOIN service_policies policy ON policy.id = rule.policy WHERE rule.id = ANY($1::int4[])`,
} as const;

export type Managed = keyof typeof MANAGED;

/** The modules that provide some rows, by the keys of the rows. */
export type ProvidedBy = ReadonlyMap<Key, string>;

/** Refuses changes to rows that a module provides, except by the start that applies them. */
@Injectable()
export class ManagedRowProtection {
  private readonly starting = new WeakSet<Caller>();

  /**
   * Exempts a caller from the protection.
   * @param caller the one with which a start applies the rules of modules
   */
  admit(caller: Caller): void {
    this.starting.add(caller);
  }

  /** Which of the rows are provided by a module, and by which. */
  async providedBy(collection: Managed, keys: readonly Key[], tx: Queries): Promise<ProvidedBy> {
    const rows = await tx.query<{ id: Key; managed: string | null }>(MANAGED[collection], [keys]);
    return new Map(rows.flatMap(({ id, managed }) => (managed === null ? [] : [[id, managed]])));
  }

  /** @throws ManagedByModule where a module provides one of these rows */
  refuseManaged(keys: readonly Key[], provided: ProvidedBy, caller: Caller): void {
    if (this.starting.has(caller)) return;
    const [managed] = valuesAt(provided, keys);
    if (managed !== undefined) throw new ManagedByModule({ managed });
  }
}
