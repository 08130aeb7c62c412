import { Injectable } from '@nestjs/common';
import { Forbidden } from '../common/errors';
import type { Queries } from '../database';
import type { Caller } from '../engine';
import { heldBy } from './guarded-rows';
import { holdsRole, guardedUsers } from './principal-rows';

/** Who would get rights, or whose account it is; all that is named counts together. */
export interface Target {
  readonly user?: string;
  /** The role to be given: what is attached to it and its ancestors counts. */
  readonly role?: string;
}

/**
 * Compares callers' rights for operations outside of item operations, which are judged separately. A policy is held if
 * it is in force for the caller in this request, and only for as long: a grant that lasts longer is not held. The
 * target's policies count whether in force or not. An administrator holds everything.
 */
@Injectable()
export class Privileges {
  /** Whether the caller holds every policy that the target has or would get; false where the target does not exist. */
  async holdsAll(tx: Queries, caller: Caller, target: Target): Promise<boolean> {
    const held = heldBy(caller);
    if (held === null) return true;
    const { user, role } = target;
    if (role !== undefined && !(await holdsRole(tx, role, held))) return false;
    if (user === undefined) return true;
    const [row] = await guardedUsers(tx, [user], held);
    return row !== undefined && !row.exceeds;
  }

  /** @throws Forbidden */
  async refuseUnheld(tx: Queries, caller: Caller, target: Target): Promise<void> {
    if (!(await this.holdsAll(tx, caller, target))) throw new Forbidden({});
  }
}
