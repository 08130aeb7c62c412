import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { CallersRequest } from './transport';

/**
 * What becomes at the start of routes that do not say whom they are for: it is refused, or told of in the log, since
 * what others wrote cannot be decorated; or they are none of ours to judge.
 */
export type UnsaidRoutes = 'stop' | 'warn' | 'leave';

/** How far the guard's word goes. Standalone: everywhere. */
@Injectable()
export class GuardScope {
  readonly unsaidRoutes: UnsaidRoutes = 'stop';

  /** Whether what does not say whom it is for is refused. */
  refusesUnsaid(_context: ExecutionContext): boolean {
    return true;
  }

  /** The request, as our own settings read it. */
  seen(request: CallersRequest): CallersRequest {
    return request;
  }
}
