import { Injectable } from '@nestjs/common';
import { CoalescedReads } from '../common/coalesced-reads';
import { packageVersion } from '../common/package-version';
import type { CallersRequest } from '../common/request/transport';
import { AppConfig } from '../config/app-config';
import { Database } from '../database';

interface Project {
  readonly project_name: string;
  readonly default_language: string;
}

/** What a client may want to know before it asks for anything. */
export interface Info {
  readonly project: Project;
  /** Rows of a list; for whoever is signed in. */
  readonly queryLimit?: { readonly default: number; readonly max: number };
  /** Of the service; for administrators. */
  readonly version?: string;
}

const READ = 'SELECT project_name, default_language FROM service_settings';

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
    const project = await this.reads.read('', () => this.project());
    const { queryLimitDefault, queryLimitMax: max } = this.config;
    const isTold = caller !== undefined && caller.user !== null && !caller.needsTfa;
    return {
      data: {
        project,
        ...(isTold && { queryLimit: { default: queryLimitDefault, max } }),
        ...(isTold && caller.administrator && { version: this.version }),
      },
    };
  }

  private async project(): Promise<Project> {
    const [project] = await this.database.query<Project>(READ);
    if (!project) throw new Error('There are no settings');
    return project;
  }
}
