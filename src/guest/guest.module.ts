import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { GuardScope } from '../common/request/guard-scope';
import { AppConfig } from '../config/app-config';
import { HostRequestRouter } from './host-request-router';
import { GuestScope } from './guest-scope';

/** Provides what the rest of the service expects from its surroundings, where it is a guest. */
@Module({})
export class GuestModule {
  /** @param options providers of `AppConfig` and `GUARD_MODE`, and what they need */
  static forRoot(options: {
    imports: ModuleMetadata['imports'];
    providers: Provider[];
  }): DynamicModule {
    return {
      module: GuestModule,
      global: true,
      imports: [DiscoveryModule, ...(options.imports ?? [])],
      providers: [
        ...options.providers,
        HostRequestRouter,
        { provide: GuardScope, useClass: GuestScope },
      ],
      exports: [AppConfig, HostRequestRouter, GuardScope],
    };
  }
}
