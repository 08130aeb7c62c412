import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { Request } from 'express';
import type { Who as Caller } from '../../access';

/** A request whose caller is known. */
export interface CallersRequest extends Request {
  who?: Caller;
}

/** The only place that knows the transport: the HTTP request behind a call, whatever it came by. */
export function requestOf(context: ExecutionContext): CallersRequest {
  const type: string = context.getType();
  if (type === 'http') return context.switchToHttp().getRequest<CallersRequest>();
  throw new Error(`Calls by ${type} are not served`);
}

/** The caller, found by the guard: `@Who() who: Who`. */
export const Who = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { who } = requestOf(context);
  if (!who) throw new Error('No guard has looked at this request');
  return who;
});
