import type { Queries } from '../database';
import type { Caller } from '../engine';
import { CollectionRegistry, type Key } from '../repository';
import { Injectable } from '@nestjs/common';
import type { Fact } from './fact';
import {
  accessFacts,
  policyFacts,
  type HeldPolicies,
  roleFacts,
  userFacts,
} from './principal-facts';
import { ruleFacts, rulesOfPolicies } from './rule-facts';

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
export class Facts {
  constructor(private readonly registry: CollectionRegistry) {}

  async read(
    collection: string,
    tx: Queries,
    keys: readonly Key[],
    caller: Caller,
  ): Promise<Fact[]> {
    const held = heldBy(caller);
    switch (collection) {
      case 'service_users':
        return userFacts(tx, keys, held);
      case 'service_roles':
        return roleFacts(tx, keys, held);
      case 'service_access':
        return accessFacts(tx, keys, held);
      case 'service_permissions':
        return ruleFacts(tx, keys, caller, this.registry);
      case 'service_policies':
        return tx.query<Fact>(POLICIES, [keys]);
      case 'service_settings':
        return tx.query<Fact>(SETTINGS, [keys]);
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
  ): Promise<Fact[]> {
    const facts = await this.read(collection, tx, keys, caller);
    if (collection !== 'service_policies' || caller.administrator) return facts;
    const attached = await policyFacts(tx, keys, heldBy(caller));
    const rules = await rulesOfPolicies(tx, keys, caller, this.registry);
    const exceeding = new Set([
      ...attached.filter(({ exceeds }) => exceeds).map(({ id }) => id),
      ...rules.filter(({ exceeds }) => exceeds).map(({ state }) => state['policy'] as Key),
    ]);
    return facts.map((fact) => ({ ...fact, exceeds: exceeding.has(fact.id) }));
  }
}
