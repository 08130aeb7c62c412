import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { RegistrationError } from '../common/schema';
import { isObject } from '../common/is-object';

const OVERRIDABLE = Symbol('doorward:overridable');

/** Records that subclasses may override the methods of a class whose decorators make them routes or operations. */
export function overridable<T extends Type<object>>(base: T): T {
  Reflect.defineMetadata(OVERRIDABLE, true, base);
  return base;
}

/** Whether a class extends an overridable one. */
export const isOverridable = (type: Type<object>): boolean => baseOf(type) !== undefined;

/** The decorators to repeat on a method that overrides another. */
export interface Repeated {
  /** Whether a method has the decorators that make it a route or operation. */
  isDecorated(method: object, owner: object): boolean;
  /** The decorators as written: `@Post() @HttpCode(200) @RequirePermission('create', 'invoices')`. */
  written(method: object): string;
}

/**
 * A method without its decorators is no longer a route and answers no one, so the start is refused.
 * @throws RegistrationError that names the decorators to write
 */
export function refuseBareOverrides(type: Type<object>, repeated: Repeated): void {
  const base = baseOf(type);
  if (!base || base === type) return;
  for (const name of methodNames(base.prototype as object)) {
    const [given, own] = [methodOf(base, name), methodOf(type, name)];
    if (name === 'constructor' || !given || !own || given === own) continue;
    if (!repeated.isDecorated(given, base) || repeated.isDecorated(own, type)) continue;
    throw new RegistrationError(
      `${type.name}.${name} overrides a method without its decorators: write ${repeated.written(given)} above it.`,
    );
  }
}

/** The names of a class's methods, those of the classes it extends included. */
export function methodNames(prototype: object): Set<string> {
  const names = new Set<string>();
  let at: unknown = prototype;
  while (isObject(at) && at !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
    at = Object.getPrototypeOf(at);
  }
  return names;
}

/** The overridable class in the chain, if there is one. */
function baseOf(type: Type<object>): Type<object> | undefined {
  let at: unknown = type;
  while (typeof at === 'function') {
    if (Reflect.getOwnMetadata(OVERRIDABLE, at) === true) return at as Type<object>;
    at = Object.getPrototypeOf(at);
  }
  return undefined;
}

function methodOf(type: Type<object>, name: string): object | undefined {
  const method: unknown = Reflect.get(type.prototype as object, name);
  return typeof method === 'function' ? method : undefined;
}
