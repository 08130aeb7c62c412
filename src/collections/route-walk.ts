import { Injectable, Logger, type OnModuleInit, type ValueProvider } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryService,
  MetadataScanner,
  ModulesContainer,
} from '@nestjs/core';
import { provideValue, providedValues } from '../common/provided-values';
import { writtenAccess } from '../common/request/access.decorators';
import { DeclaredQueries } from '../common/request/declared-query';
import { GuardScope } from '../common/request/guard-scope';
import { RegistrationError } from '../common/schema';
import { ACTIONS } from '../engine';
import { CollectionRegistry } from '../repository/registry/registry';
import { declareQueries } from './declare-queries';
import { type RouteDeclaration, listRoutes } from './listed-routes';
import { nearest } from '../config/nearest';
import { conflictsOf } from './route-conflicts';

/** The largest number of faults reported at once. */
const MAX_FAULTS = 20;
const PARAMETER = ':collection';
const ENDPOINT = 'doorward:endpoint';

/** @param path `/graphql`: every request below it is answered without checking the routes */
export const provideEndpoint = (path: string): ValueProvider<string> =>
  provideValue(ENDPOINT, path);

/** Checks every route when the application starts, and refuses the start where one is wrong. */
@Injectable()
export class RouteWalk implements OnModuleInit {
  private readonly logger = new Logger('Routes');

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly registry: CollectionRegistry,
    private readonly scope: GuardScope,
    private readonly modules: ModulesContainer,
    private readonly queries: DeclaredQueries,
    private readonly application: ApplicationConfig,
  ) {}

  onModuleInit(): void {
    const routes = listRoutes(this.discovery, this.scanner, this.modules);
    this.check(routes);
    declareQueries(this.queries, routes);
    const endpoints = providedValues<string>(this.discovery, ENDPOINT);
    const reportsForeign = this.scope.undeclaredRoutes === 'stop';
    const versioning = this.application.getVersioning();
    refuse(conflictsOf(routes, { endpoints, reportsForeign, versioning }));
  }

  /** @throws RegistrationError that names every route without access declaration, or with an unknown collection */
  check(all: readonly RouteDeclaration[]): void {
    const undeclared = all.filter(({ access }) => access === undefined);
    const stopping = undeclared.filter(
      ({ foreign }) => !foreign || this.scope.undeclaredRoutes === 'stop',
    );
    const wrong = all.flatMap((each) => this.faultOf(each) ?? []);
    const faults = [...stopping.map(undeclaredText), ...wrong];
    refuse(faults);
    this.warn(undeclared);
  }

  private warn(undeclared: readonly RouteDeclaration[]): void {
    const warnings =
      this.scope.undeclaredRoutes === 'warn'
        ? undeclared.map(closedText)
        : undeclared.flatMap((each) => callerText(each) ?? []);
    if (warnings.length > 0) this.logger.warn(listed(warnings));
  }

  private faultOf({ access, place, paths = [] }: RouteDeclaration): string | undefined {
    if (access?.kind !== 'permission') return undefined;
    const { action, collection } = access;
    if (!ACTIONS.includes(action))
      return `${place} has ${writtenAccess(access)}: there is no such action. The actions are ${ACTIONS.join(', ')}.`;
    if (collection === '*') return undefined;
    if (collection === undefined) {
      if (paths.length > 0 && paths.every((path) => path.includes(PARAMETER))) return undefined;
      return `${place} has ${writtenAccess(access)}, which names no collection, and its path has no ${PARAMETER}: name one.`;
    }
    if (this.registry.get(collection)) return undefined;
    const known = nearest(
      collection,
      [...this.registry.all()].map(({ name }) => name),
    );
    const meant = known === undefined ? '' : ` Did you mean ${known}?`;
    return `${place} has ${writtenAccess(access)}: there is no such collection.${meant}`;
  }
}

const undeclaredText = ({ place }: RouteDeclaration): string =>
  `${place} declares no access: add @Public(), @SignedIn() or @RequirePermission(…).`;

const closedText = ({ place }: RouteDeclaration): string =>
  `${place} declares no access, so every request to it is refused: add @Public(), @SignedIn() or @RequirePermission(…), or set { guard: 'ours' }.`;

const callerText = ({ place, foreign }: RouteDeclaration): string | undefined =>
  foreign?.asksForCaller
    ? `${place} takes the caller but declares no access, so it will fail: add @Public(), @SignedIn() or @RequirePermission(…).`
    : undefined;

/** @throws RegistrationError that names them, if there are any */
function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new RegistrationError(listed(faults));
}

function listed(faults: readonly string[]): string {
  const left = faults.length - MAX_FAULTS;
  const more = left > 0 ? [`And ${left} more like these.`] : [];
  return [...faults.slice(0, MAX_FAULTS), ...more].join('\n');
}
