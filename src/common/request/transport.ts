import { IncomingMessage } from 'node:http';
import type { ArgumentsHost, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '../../engine';
import type { StaleToken } from './authenticator';
import { providedParameter } from './provided-parameter';

/** A request that the guard has checked. */
export interface CallersRequest extends Request {
  /** Identifies the sender. A public route that does not depend on its caller never calls it. */
  caller?: () => Promise<Caller>;
  /** By how a stale token is treated: all operations that treat it alike have the same caller. */
  identified?: Map<StaleToken, Promise<Caller>>;
  /** The identified user, for the log. */
  sender?: string;
}

/**
 * The HTTP request behind a call over REST or GraphQL.
 * @throws an Error for any other transport
 */
export function requestOf<T extends CallersRequest = CallersRequest>(context: ArgumentsHost): T {
  const type: string = context.getType();
  if (type === 'http') return context.getArgByIndex<T>(0);
  if (type === 'graphql') return ofOperation(context.getArgs()) as T;
  throw new Error(`Calls by ${type} are not served`);
}

export function isRequest(context: ExecutionContext): boolean {
  const type: string = context.getType();
  return type === 'http' || type === 'graphql';
}

/**
 * Our own GraphQL operations are called with the request as first argument; at a team's own endpoint it is in the
 * context, under `req`.
 */
function ofOperation([first, , given]: readonly unknown[]): unknown {
  if (first instanceof IncomingMessage) return first;
  const { req } = (given ?? {}) as { readonly req?: unknown };
  if (req instanceof IncomingMessage) return req;
  throw new Error('The GraphQL context has no HTTP request: let `context` give it as `req`');
}

/** Gives the caller. At the start, a parameter with this factory shows that a method takes the caller. */
export const callerOf = (_: unknown, context: ExecutionContext): Promise<Caller> => {
  const { caller } = requestOf(context);
  if (!caller) throw new Error(unguarded(context));
  return caller();
};

/**
 * A parameter decorator of a controller's or resolver's method: the caller. `list(@CurrentCaller() caller: Caller)`.
 */
export const CurrentCaller = providedParameter(callerOf);

const unguarded = (context: ExecutionContext): string =>
  `${context.getClass().name}.${context.getHandler().name} takes the caller but declares no access: add @Public(), @SignedIn() or @RequirePermission(…).`;
