import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '../../engine';

/** A request that the guard has looked at. */
export interface CallersRequest extends Request {
  /** Who sent it. A route that is open to anyone and makes nothing of its caller never looks for one. */
  caller?: () => Promise<Caller>;
  /** By strictness: the operations of a request are all asked for by the same caller. */
  identified?: Map<boolean, Promise<Caller>>;
}

/**
 * The HTTP request behind a call of either door.
 * @throws where it came by something else, of which nothing is known
 */
export function requestOf<T extends CallersRequest = CallersRequest>(context: ExecutionContext): T {
  const type: string = context.getType();
  // A GraphQL operation is called with its HTTP request first.
  if (type === 'http' || type === 'graphql') return context.getArgByIndex<T>(0);
  throw new Error(`Calls by ${type} are not served`);
}

/** The caller, as the guard lets them be found: a parameter of a method of a controller or resolver. Nest waits for it. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Promise<Caller> => {
    const { caller } = requestOf(context);
    if (!caller) throw new Error('No guard has looked at this request');
    return caller();
  },
);
