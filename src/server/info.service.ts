import { Injectable } from '@nestjs/common';
import { CoalescedReads } from '../common/coalesced-reads';
import { packageVersion } from '../common/package-version';
import type { CallersRequest } from '../common/request/transport';
import { AppConfig } from '../config/app-config';
import { Database } from '../database';
import { type Project, readProject } from '../settings';

/** General information for clients. */
export interface Info {
  readonly project: Project;
  /** The default and the largest number of rows of a list; for signed-in callers. */
  readonly queryLimit?: { readonly default: number; readonly max: number };
  /** The version of the service; for administrators. */
  readonly version?: string;
}

@Injectable()
export class InfoService {
  private readonly reads = new CoalescedReads<Project>();
  private readonly version = packageVersion();

  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
  ) {}

  async report(request: CallersRequest): Promise<{ data: Info }> {
    const caller = await request.caller?.();
    const project = await this.reads.read('', () => readProject(this.database));
    const { queryLimitDefault, queryLimitMax: max } = this.config;
    const mayKnow = caller !== undefined && caller.user !== null && !caller.needsTfa;
    return {
      data: {
        project,
        ...(mayKnow && { queryLimit: { default: queryLimitDefault, max } }),
        ...(mayKnow && caller.administrator && { version: this.version }),
      },
    };
  }
}
