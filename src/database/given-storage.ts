import { type DynamicModule, Module } from '@nestjs/common';
import { OpenedDataSources } from './opened-data-sources';
import type { Storage } from './storage';

/** Injection token: a storage other than the configured one. */
export const GIVEN_STORAGE = Symbol('GivenStorage');

/** For tests and tools, which bring a database of their own. */
@Module({})
export class GivenStorageModule {
  /** @param opened records what a start opens, so that it can be closed if the start is refused */
  static of(storage: Storage, opened = new OpenedDataSources()): DynamicModule {
    return {
      module: GivenStorageModule,
      global: true,
      providers: [
        { provide: GIVEN_STORAGE, useValue: storage },
        { provide: OpenedDataSources, useValue: opened },
      ],
      exports: [GIVEN_STORAGE, OpenedDataSources],
    };
  }
}
