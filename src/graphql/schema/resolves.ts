import 'reflect-metadata';
import { Injectable } from '@nestjs/common';
import type { SchemaScope } from './operation';

const RESOLVES = Symbol('doorward:resolves');

/** Declares a provider to bring operations of its own: `@Resolves('system') class … implements OperationResolver`. */
export const Resolves =
  (scope: SchemaScope): ClassDecorator =>
  (target) => {
    Injectable()(target);
    Reflect.defineMetadata(RESOLVES, scope, target);
  };

export const resolvedScope = (target: object): SchemaScope | undefined =>
  Reflect.getMetadata(RESOLVES, target) as SchemaScope | undefined;
