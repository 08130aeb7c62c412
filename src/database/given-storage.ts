import { type DynamicModule, Module } from '@nestjs/common';
import { Openings } from './openings';
import type { Storage } from './storage';

/** Injection token: a storage other than the configured one. */
export const GIVEN_STORAGE = Symbol('GivenStorage');

/** For tests and tools, which bring a database of their own. */
@Module({})
export class GivenStorageModule {
  /** @param openings records what a start opens, so that it can be closed if the start is refused */
  static of(storage: Storage, openings = new Openings()): DynamicModule {
    return {
      module: GivenStorageModule,
      global: true,
      providers: [
        { provide: GIVEN_STORAGE, useValue: storage },
        { provide: Openings, useValue: openings },
      ],
      exports: [GIVEN_STORAGE, Openings],
    };
  }
}
