import { Injectable } from '@nestjs/common';
import { Forbidden } from '../common/errors';
import type { Queries } from '../database';
import type { Caller } from '../engine';
import { lockPrivileges, readLevel } from './administrators';
import { heldBy } from './facts';
import { holdsRole, userFacts } from './principal-facts';

/** Who is to get something, or whose account it is; what is named counts together. */
export interface Target {
  readonly user?: string;
  /** Somebody is to get it: what is attached to it and its ancestors counts. */
  readonly role?: string;
}

/**
 * What callers hold, for what is done outside of item operations: these are judged by themselves. Held is what is in
 * force for the caller in this request, and as long as it will be: a grant that outlasts theirs they do not hold. What a
 * target has counts in force or not. An administrator holds everything.
 */
@Injectable()
export class Privileges {
  /** Whether the caller holds every policy that the target has or would get; false where there is no such target. */
  async holdsAll(tx: Queries, caller: Caller, target: Target): Promise<boolean> {
    const held = heldBy(caller);
    if (held === null) return true;
    const { user, role } = target;
    if (role !== undefined && !(await holdsRole(tx, role, held))) return false;
    if (user === undefined) return true;
    const [fact] = await userFacts(tx, [user], held);
    return fact !== undefined && !fact.exceeds;
  }

  /** @throws Forbidden */
  async refuseUnheld(tx: Queries, caller: Caller, target: Target): Promise<void> {
    if (!(await this.holdsAll(tx, caller, target))) throw new Forbidden({});
  }

  /**
   * For whoever writes users or rights in the service's own name by SQL: asked last in the transaction, and nobody else
   * takes an administrator away before it ends.
   */
  async hasAdministrator(tx: Queries): Promise<boolean> {
    await lockPrivileges(tx);
    return (await readLevel(tx)) !== 'none';
  }
}
