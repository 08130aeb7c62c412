import type { Queries } from '../database';
import type { Caller } from '../engine';
import { CollectionRegistry, type Key } from '../repository';
import { Injectable } from '@nestjs/common';
import type { GuardedRow } from './guarded-row';
import {
  guardedAccess,
  accessOfPolicies,
  type HeldPolicies,
  guardedRoles,
  guardedUsers,
} from './principal-rows';
import { guardedRules, rulesOfPolicies } from './rule-rows';

const POLICIES = `
  SELECT id, jsonb_build_object('admin_access', admin_access, 'app_access', app_access,
    'enforce_tfa', enforce_tfa, 'ip_access', ip_access) AS state,
    false AS exceeds, admin_access AS administers,
    CASE WHEN enforce_tfa THEN ARRAY[id::text] ELSE '{}' END AS enforcing
  FROM service_policies WHERE id = ANY($1::uuid[])`;

const SETTINGS = `
  SELECT id, to_jsonb(settings) AS state, false AS exceeds, false AS administers, '{}'::text[] AS enforcing
  FROM service_settings settings WHERE id = ANY($1::int4[])`;

/** The policies in force for the caller in this request, and until when. */
export const heldBy = ({ administrator, policies }: Caller): HeldPolicies =>
  administrator ? null : policies.filter(({ verdict }) => verdict === 'in force');

/** Reads the guarded fields of rows, and how they compare with the caller's rights. */
@Injectable()
export class GuardedRows {
  constructor(private readonly registry: CollectionRegistry) {}

  async read(
    collection: string,
    tx: Queries,
    keys: readonly Key[],
    caller: Caller,
  ): Promise<GuardedRow[]> {
    const held = heldBy(caller);
    switch (collection) {
      case 'service_users':
        return guardedUsers(tx, keys, held);
      case 'service_roles':
        return guardedRoles(tx, keys, held);
      case 'service_access':
        return guardedAccess(tx, keys, held);
      case 'service_permissions':
        return guardedRules(tx, keys, caller, this.registry);
      case 'service_policies':
        return tx.query<GuardedRow>(POLICIES, [keys]);
      case 'service_settings':
        return tx.query<GuardedRow>(SETTINGS, [keys]);
      default:
        return [];
    }
  }

  /** The same for rows that are to be deleted: a policy is deleted with its rules and detached from everyone. */
  async readBeforeDelete(
    collection: string,
    tx: Queries,
    keys: readonly Key[],
    caller: Caller,
  ): Promise<GuardedRow[]> {
    const rows = await this.read(collection, tx, keys, caller);
    if (collection !== 'service_policies' || caller.administrator) return rows;
    const attached = await accessOfPolicies(tx, keys, heldBy(caller));
    const rules = await rulesOfPolicies(tx, keys, caller, this.registry);
    const exceeding = new Set([
      ...attached.filter(({ exceeds }) => exceeds).map(({ id }) => id),
      ...rules.filter(({ exceeds }) => exceeds).map(({ state }) => state['policy'] as Key),
    ]);
    return rows.map((row) => ({ ...row, exceeds: exceeding.has(row.id) }));
  }
}
