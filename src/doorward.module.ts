import {
  type DynamicModule,
  type InjectionToken,
  Module,
  type ModuleMetadata,
  type NestModule,
  type OnModuleInit,
  type OptionalFactoryDependency,
  type Provider,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { AppModule } from './app.module';
import { AppConfig, loadConfig } from './config/app-config';
import {
  checkOptions,
  type DoorwardOptions,
  GUARD_MODE,
  type GuardMode,
  HostRequestRouter,
  GuestErrorsFilter,
  GuestModule,
} from './guest';

export type { DoorwardOptions };

export interface DoorwardAsyncOptions {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  /** Called once, with what `inject` names. */
  readonly useFactory: (...injected: never[]) => DoorwardOptions | Promise<DoorwardOptions>;
}

const OPTIONS = Symbol('DoorwardOptions');

const settled: Provider[] = [
  {
    provide: AppConfig,
    inject: [OPTIONS],
    useFactory: ({ settings }: DoorwardOptions): AppConfig => loadConfig(settings),
  },
  {
    provide: GUARD_MODE,
    inject: [OPTIONS],
    useFactory: ({ guard }: DoorwardOptions): GuardMode => guard ?? 'all',
  },
];

/**
 * All of the service as a module of an application that exists (on Express), beside its own modules, filters, pipes,
 * GraphQL endpoints and data sources. What is not ours it leaves as it is.
 */
@Module({ imports: [AppModule] })
export class DoorwardModule implements NestModule, OnModuleInit {
  constructor(
    private readonly application: ApplicationConfig,
    private readonly router: HostRequestRouter,
  ) {}

  /** An option or a setting that is wrong ends the start with a `StartupError`. */
  static forRoot(options: DoorwardOptions = {}): DynamicModule {
    return DoorwardModule.forRootAsync({ useFactory: () => options });
  }

  static forRootAsync({ imports, inject = [], useFactory }: DoorwardAsyncOptions): DynamicModule {
    const options: Provider = {
      provide: OPTIONS,
      inject,
      useFactory: async (...injected: never[]) => checkOptions(await useFactory(...injected)),
    };
    return {
      module: DoorwardModule,
      imports: [GuestModule.forRoot({ imports, providers: [options, ...settled] })],
    };
  }

  /** Before the routes are made. The last filter is the first that is asked, and all of theirs are there by now. */
  configure(): void {
    this.application.useGlobalFilters(new GuestErrorsFilter());
  }

  /** After all that we are made of, so that every path of ours is served by now. */
  onModuleInit(): void {
    this.router.refuseUnserved();
  }
}
