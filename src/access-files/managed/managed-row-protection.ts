import { Injectable } from '@nestjs/common';
import { ManagedByModule } from '../../common/errors';
import type { Queries } from '../../database';
import type { Caller } from '../../engine';
import type { Key } from '../../repository';

const MANAGED = {
  service_roles: 'SELECT managed FROM service_roles WHERE id = ANY($1::uuid[])',
  service_policies: 'SELECT managed FROM service_policies WHERE id = ANY($1::uuid[])',
  service_access: 'SELECT managed FROM service_access WHERE id = ANY($1::uuid[])',
  // A rule is managed where its policy is.
  service_permissions: `SELECT policy.managed FROM service_permissions rule
    JOIN service_policies policy ON policy.id = rule.policy WHERE rule.id = ANY($1::int4[])`,
} as const;

export type Managed = keyof typeof MANAGED;

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

  /** @throws ManagedByModule where a module provides one of these rows */
  async refuseManaged(
    collection: Managed,
    keys: readonly Key[],
    { caller, tx }: { readonly caller: Caller; readonly tx: Queries },
  ): Promise<void> {
    if (this.starting.has(caller)) return;
    const rows = await tx.query<{ managed: string | null }>(MANAGED[collection], [keys]);
    const found = rows.find(({ managed }) => managed !== null);
    if (found) throw new ManagedByModule({ managed: String(found.managed) });
  }
}
