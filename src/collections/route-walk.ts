import { Injectable, Logger, type OnModuleInit, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ROUTE_ACCESS, type RouteAccess, writtenAccess } from '../common/request/access.decorators';
import { GuardScope } from '../common/request/guard-scope';
import { callerOf } from '../common/request/transport';
import { RegistrationError } from '../common/schema';
import { CollectionRegistry } from '../repository/registry/registry';
import { nearest } from './nearest';
import { isOverridable } from './overrides';

/** So many faults are told at once. */
const MAX_FAULTS = 20;
const PARAMETER = ':collection';

/** A route or an operation, as its decorators say it. */
export interface Guarded {
  /** `BillingController.pay` */
  readonly place: string;
  readonly access: RouteAccess | undefined;
  /** Where requests for it go; none for an operation. */
  readonly paths?: readonly string[];
  /** Of a team's own class that has nothing of ours: in their application we may have no say in it. */
  readonly foreign?: { readonly asksForCaller: boolean };
}

/** Looks at every route when the application starts, and refuses the start where one cannot be meant. */
@Injectable()
export class RouteWalk implements OnModuleInit {
  private readonly logger = new Logger('Routes');

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly registry: CollectionRegistry,
    private readonly scope: GuardScope,
  ) {}

  onModuleInit(): void {
    this.check(this.routes());
  }

  /** @throws RegistrationError that names every one that says nothing, or speaks of what is not there */
  check(all: readonly Guarded[]): void {
    const unsaid = all.filter(({ access }) => access === undefined);
    const stopping = unsaid.filter(({ foreign }) => !foreign || this.scope.unsaidRoutes === 'stop');
    const wrong = all.flatMap((each) => this.faultOf(each) ?? []);
    const faults = [...stopping.map(unsaidText), ...wrong];
    if (faults.length > 0) throw new RegistrationError(listed(faults));
    this.warn(unsaid);
  }

  private warn(unsaid: readonly Guarded[]): void {
    const isTold = this.scope.unsaidRoutes === 'warn';
    const told = isTold ? unsaid.map(closedText) : unsaid.flatMap((each) => callerText(each) ?? []);
    if (told.length > 0) this.logger.warn(listed(told));
  }

  private faultOf({ access, place, paths = [] }: Guarded): string | undefined {
    if (access?.kind !== 'permission' || access.collection === '*') return undefined;
    const { collection } = access;
    if (collection === undefined) {
      if (paths.length > 0 && paths.every((path) => path.includes(PARAMETER))) return undefined;
      return `${place} has ${writtenAccess(access)}, which names no collection, and its path has no ${PARAMETER}: name one.`;
    }
    if (this.registry.get(collection)) return undefined;
    const known = nearest(
      collection,
      [...this.registry.all()].map(({ name }) => name),
    );
    const meant = known === undefined ? '' : ` Is ${known} meant?`;
    return `${place} has ${writtenAccess(access)}: there is no such collection.${meant}`;
  }

  private routes(): Guarded[] {
    return this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (metatype ? this.routesOf(metatype as Type<object>) : []));
  }

  private routesOf(type: Type<object>): Guarded[] {
    const prototype = type.prototype as object;
    const bases = pathsOf(type);
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const method: unknown = Reflect.get(prototype, name);
      if (typeof method !== 'function' || verbOf(method) === undefined) return [];
      const paths = bases.flatMap((base) => pathsOf(method).map((path) => `${base}/${path}`));
      const foreign = isOverridable(type) ? {} : { foreign: { asksForCaller: asks(type, name) } };
      return [{ place: `${type.name}.${name}`, access: accessOf(method, type), paths, ...foreign }];
    });
  }
}

const unsaidText = ({ place }: Guarded): string =>
  `${place} says not whom it is for: decorate it with @RequirePermission, @SignedIn or @Public.`;

const closedText = ({ place }: Guarded): string =>
  `${place} says not whom it is for, and is closed to everybody: decorate it, or say { guard: 'ours' }.`;

const callerText = ({ place, foreign }: Guarded): string | undefined =>
  foreign?.asksForCaller
    ? `${place} asks for its caller but says not whom it is for, and will fail: decorate it with @RequirePermission, @SignedIn or @Public.`
    : undefined;

function listed(faults: readonly string[]): string {
  const left = faults.length - MAX_FAULTS;
  const more = left > 0 ? [`And ${left} more like these.`] : [];
  return [...faults.slice(0, MAX_FAULTS), ...more].join('\n');
}

/** Whether a parameter of the method is `@CurrentCaller()`. */
const asks = (type: Type<object>, name: string): boolean =>
  Object.values(
    (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) ?? {}) as Record<string, Parameter>,
  ).some(({ factory }) => factory === callerOf);

interface Parameter {
  readonly factory?: unknown;
}

const verbOf = (method: object): string | undefined =>
  RequestMethod[Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod];

const pathsOf = (target: object): string[] =>
  [(Reflect.getMetadata(PATH_METADATA, target) ?? '') as string | string[]].flat();

const accessOf = (method: object, owner: object): RouteAccess | undefined =>
  (Reflect.getMetadata(ROUTE_ACCESS, method) ?? Reflect.getMetadata(ROUTE_ACCESS, owner)) as
    RouteAccess | undefined;
