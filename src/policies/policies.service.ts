import { Injectable } from '@nestjs/common';
import type { Caller } from '../engine';
import { Database } from '../database';

/** The flags of a caller's policies. */
export interface PolicyGlobals {
  readonly app_access: boolean;
  readonly admin_access: boolean;
  readonly enforce_tfa: boolean;
}

const GLOBALS = `
  SELECT coalesce(bool_or(app_access), false) AS app_access,
    coalesce(bool_or(admin_access), false) AS admin_access,
    coalesce(bool_or(enforce_tfa), false) AS enforce_tfa
  FROM service_policies WHERE id = ANY($1::uuid[])`;

const NONE: PolicyGlobals = { app_access: false, admin_access: false, enforce_tfa: false };

@Injectable()
export class PoliciesService {
  constructor(private readonly database: Database) {}

  /** The flags of the caller's policies in force, combined. */
  async globals({ policies }: Caller): Promise<PolicyGlobals> {
    const inForce = policies.filter(({ verdict }) => verdict === 'in force');
    const ids = inForce.map(({ policy }) => policy);
    const [found = NONE] = await this.database.query<PolicyGlobals>(GLOBALS, [ids]);
    return found;
  }
}
