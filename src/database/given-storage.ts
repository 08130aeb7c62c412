import { type DynamicModule, Module } from '@nestjs/common';
import type { Storage } from './storage';

/** Injection token: a storage other than the configured one. */
export const GIVEN_STORAGE = Symbol('GivenStorage');

/** For tests and tools, which bring a database of their own. */
@Module({})
export class GivenStorageModule {
  static of(storage: Storage): DynamicModule {
    return {
      module: GivenStorageModule,
      global: true,
      providers: [{ provide: GIVEN_STORAGE, useValue: storage }],
      exports: [GIVEN_STORAGE],
    };
  }
}
