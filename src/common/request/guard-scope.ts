import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { CallersRequest } from './transport';

/**
 * What to do at the start about routes that declare no access: refuse the start, warn in the log, since code of others
 * cannot be decorated, or leave them alone.
 */
export type UnsaidRoutes = 'stop' | 'warn' | 'leave';

/** How far the guard's word goes. Standalone: everywhere. */
@Injectable()
export class GuardScope {
  readonly unsaidRoutes: UnsaidRoutes = 'stop';

  /** Whether a route that declares no access is refused. */
  refusesUnsaid(_context: ExecutionContext): boolean {
    return true;
  }

  /** The request with our own settings. */
  seen(request: CallersRequest): CallersRequest {
    return request;
  }
}
