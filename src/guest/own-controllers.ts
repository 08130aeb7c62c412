import type { Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import type { DiscoveryService } from '@nestjs/core';
import { isOverridable, serviceModules } from '../collections';
import { answerErrorsOf } from '../common/errors';
import { isObject } from '../common/is-object';

const OURS = 'doorward:ours';
const PARAMETERS = 'design:paramtypes';

/** Whether a route is ours, by its handler. */
export const isOurs = (handler: object): boolean => Reflect.getMetadata(OURS, handler) === true;

/**
 * Marks the routes of our controllers: of the service's, and of all that extend `ItemsController` and similar classes,
 * as those of collections do.
 * @returns the first words of the service's paths, such as `users`
 */
export function markControllers(discovery: DiscoveryService): ReadonlySet<string> {
  const words = new Set<string>();
  // Nest lists every module among its own providers.
  const modules = new Set(discovery.getProviders().flatMap(({ host }) => host ?? []));
  const service = serviceModules(modules);
  for (const { metatype, host } of discovery.getControllers()) {
    if (!metatype) continue;
    const type = metatype as Type<object>;
    const isService = host !== undefined && service.has(host.metatype);
    if (isService || isOverridable(type)) markController(type, isService);
    if (isService) for (const word of wordsOf(type)) words.add(word);
  }
  return words;
}

function markController(type: Type<object>, isService: boolean): void {
  answerErrorsOf(type);
  for (const { name, method, owner } of routesIn(type)) {
    Reflect.defineMetadata(OURS, true, method);
    if (isService) hideTypes(owner, name);
  }
}

/** Our own pipes read these parameters. A host's `ValidationPipe` skips parameters of type `Object`. */
function hideTypes(owner: object, name: string): void {
  const types = (Reflect.getOwnMetadata(PARAMETERS, owner, name) ?? []) as unknown[];
  const unknown = types.map(() => Object);
  Reflect.defineMetadata(PARAMETERS, unknown, owner, name);
}

function wordsOf(type: Type<object>): string[] {
  return pathsOf(type)
    .flatMap((path) => [...routesIn(type)].flatMap(({ method }) => joined(path, pathsOf(method))))
    .flatMap((path) => path.split('/').find((word) => word !== '') ?? []);
}

const pathsOf = (target: object): string[] =>
  [(Reflect.getMetadata(PATH_METADATA, target) ?? '') as string | string[]].flat();

const joined = (path: string, rest: readonly string[]): string[] =>
  rest.map((each) => `${path}/${each}`);

interface RouteMethod {
  readonly name: string;
  readonly method: object;
  /** The prototype that defines it. */
  readonly owner: object;
}

function* routesIn(type: Type<object>): Generator<RouteMethod> {
  let owner: unknown = type.prototype;
  while (isObject(owner) && owner !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      const method: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value;
      if (typeof method === 'function' && Reflect.hasMetadata(METHOD_METADATA, method)) {
        yield { name, method, owner };
      }
    }
    owner = Object.getPrototypeOf(owner);
  }
}
