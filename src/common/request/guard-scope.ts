import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { CallersRequest } from './transport';

/**
 * What happens at the start where routes declare no access. `stop`: the start is refused. `warn`: the log names them,
 * since code of others cannot be decorated. `leave`: nothing.
 */
export type UnsaidRoutes = 'stop' | 'warn' | 'leave';

/** Which routes our guard is responsible for. In a standalone application: all of them. */
@Injectable()
export class GuardScope {
  readonly unsaidRoutes: UnsaidRoutes = 'stop';

  /** Whether a route that declares no access is refused. */
  refusesUnsaid(_context: ExecutionContext): boolean {
    return true;
  }

  /** The request as our own application would see it, with its settings. */
  seen(request: CallersRequest): CallersRequest {
    return request;
  }
}
