import {
  type DynamicModule,
  type InjectionToken,
  Module,
  type ModuleMetadata,
  type NestModule,
  type OnModuleInit,
  Optional,
  type OptionalFactoryDependency,
  type Provider,
} from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper';
import { AppModule } from './app.module';
import { AppConfig, loadConfig } from './config/app-config';
import { StartupError } from './config/startup-error';
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

/**
 * Options of `DoorwardModule.forRootAsync`.
 *
 *     { inject: [ConfigService], useFactory: (config: ConfigService) => ({ settings: { DATABASE_URL: config.get('db') } }) }
 */
export interface DoorwardAsyncOptions {
  /** Modules that export what `inject` names. */
  readonly imports?: ModuleMetadata['imports'];
  /** Tokens of the providers that the factory is given. */
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  /** Called once at the start, with the providers that `inject` names, in that order. */
  readonly useFactory: (...injected: never[]) => DoorwardOptions | Promise<DoorwardOptions>;
}

const OPTIONS = Symbol('DoorwardOptions');

const optionProviders: Provider[] = [
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
 * The whole service as a module of an existing Nest application on Express. It changes nothing about the application's
 * own routes, filters, pipes, GraphQL endpoints and data sources, except that its guard judges their routes too, by
 * default.
 *
 *     @Module({ imports: [DoorwardModule.forRoot({ guard: 'ours' }), InvoicingModule] })
 *     export class AppModule {}
 */
@Module({})
export class DoorwardModule implements NestModule, OnModuleInit {
  private readonly router: HostRequestRouter;

  constructor(
    private readonly application: ApplicationConfig,
    @Optional() router?: HostRequestRouter,
  ) {
    if (!router) {
      throw new StartupError(
        'DoorwardModule is imported without options: write DoorwardModule.forRoot() or forRootAsync(…).',
      );
    }
    this.router = router;
  }

  /**
   * With fixed options. The start ends with a `StartupError` where an option or setting is wrong.
   */
  static forRoot(options: DoorwardOptions = {}): DynamicModule {
    return DoorwardModule.forRootAsync({ useFactory: () => options });
  }

  /** With options that are made by providers of the application. */
  static forRootAsync({ imports, inject = [], useFactory }: DoorwardAsyncOptions): DynamicModule {
    if (typeof useFactory !== 'function') {
      throw new StartupError(
        'DoorwardModule.forRootAsync needs useFactory, a function that returns the options.',
      );
    }
    const options: Provider = {
      provide: OPTIONS,
      inject: [ModulesContainer, ...inject],
      useFactory: async (modules: ModulesContainer, ...injected: never[]) => {
        refuseSecond(modules);
        return checkOptions(await useFactory(...injected));
      },
    };
    return {
      module: DoorwardModule,
      imports: [
        AppModule,
        GuestModule.forRoot({ imports, providers: [options, ...optionProviders] }),
      ],
    };
  }

  /** Runs before the routes are made. Our filter is registered after all of the application's, so it is tried first. */
  configure(): void {
    const instance = new GuestErrorsFilter();
    this.application.useGlobalFilters(instance);
    // Request-scoped filters of the application are tried before all others.
    if (this.application.getGlobalRequestFilters().length > 0) {
      this.application.addGlobalRequestFilter(new InstanceWrapper({ instance, isResolved: true }));
    }
  }

  /** Runs after all our modules, when all our paths are served. */
  onModuleInit(): void {
    this.router.refuseUnserved();
  }
}

/** Of two sets of options only one would apply, and nobody could tell which; an import without options adds nothing. */
function refuseSecond(modules: ModulesContainer): void {
  const ours = [...modules.values()].filter(({ metatype }) => metatype === DoorwardModule);
  if (ours.length === 1) return;
  throw new StartupError(
    'DoorwardModule is imported in more than one place: keep one forRoot, in one module of the application.',
  );
}
