import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database';
import { refuseFailingSql, translatingFailedSql } from '../repository/registry/computed-sql';
import { refuseSharedKeys } from '../repository/registry/shared-keys';
import { refuseUnfitColumns } from '../repository/registry/unfit-columns';
import { CollectionRegistry } from '../repository/registry/registry';

/** Checks at each start, once all tables exist, what only the database knows about them. */
@Injectable()
export class TablesAtStart implements OnApplicationBootstrap {
  constructor(
    private readonly registry: CollectionRegistry,
    private readonly database: Database,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await refuseUnfitColumns(this.registry, this.database);
    await refuseSharedKeys(this.registry, this.database);
    await refuseFailingSql(this.registry, this.database);
    const translate = translatingFailedSql(this.registry);
    if (translate) this.database.translateBy(translate);
  }
}
