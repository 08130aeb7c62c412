import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database';
import { refuseFailingSql, translatingFailedSql } from '../repository/registry/computed-sql';
import { CollectionRegistry } from '../repository/registry/registry';

/** Checks the SQL of computed fields at each start, once all tables exist. */
@Injectable()
export class ComputedFields implements OnApplicationBootstrap {
  constructor(
    private readonly registry: CollectionRegistry,
    private readonly database: Database,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await refuseFailingSql(this.registry, this.database);
    const translate = translatingFailedSql(this.registry);
    if (translate) this.database.translateBy(translate);
  }
}
