import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database';
import { refuseFailingSql, translatingFailedSql } from '../repository/registry/computed-sql';
import { CollectionRegistry } from '../repository/registry/registry';

/** Tries, at each start, what computed fields are made of, once all tables are there. */
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
