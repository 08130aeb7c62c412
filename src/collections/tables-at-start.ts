import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database';
import { refuseFailingSql, translatingFailedSql } from '../repository/registry/computed-sql';
import { refuseSharedKeys } from '../repository/registry/shared-keys';
import { missingRights } from '../repository/registry/missing-rights';
import { unfilledColumns } from '../repository/registry/unfilled-columns';
import { refuseUnfitColumns } from '../repository/registry/unfit-columns';
import { CollectionRegistry } from '../repository/registry/registry';

/** Checks at each start, once all tables exist, what only the database knows about them. */
@Injectable()
export class TablesAtStart implements OnApplicationBootstrap {
  private readonly logger = new Logger('Collections');

  constructor(
    private readonly registry: CollectionRegistry,
    private readonly database: Database,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await refuseUnfitColumns(this.registry, this.database);
    await refuseSharedKeys(this.registry, this.database);
    await refuseFailingSql(this.registry, this.database);
    const warnings = [
      ...(await unfilledColumns(this.registry, this.database)),
      ...(await missingRights(this.registry, this.database)),
    ];
    for (const sentence of warnings) this.logger.warn(sentence);
    const translate = translatingFailedSql(this.registry);
    if (translate) this.database.translateBy(translate);
  }
}
