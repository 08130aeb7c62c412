import 'reflect-metadata';
import { Injectable } from '@nestjs/common';
import type { CollectionReference } from './tokens';

const HOOKS_OF = Symbol('doorward:hooks-of');

/**
 * Declares a provider to be hooks of a collection: `@HooksOf(Invoice) class InvoiceHooks implements CollectionHooks`.
 * A collection of another module's is named: `@HooksOf('service_users')`. A collection may have several.
 */
export const HooksOf =
  (collection: CollectionReference): ClassDecorator =>
  (target) => {
    Injectable()(target);
    Reflect.defineMetadata(HOOKS_OF, collection, target);
  };

/** The collection that a provider's class is hooks of, if any. */
export const hookedCollection = (target: object): CollectionReference | undefined =>
  Reflect.getMetadata(HOOKS_OF, target) as CollectionReference | undefined;
