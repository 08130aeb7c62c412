import {
  type ExecutionContext,
  Global,
  Inject,
  Injectable,
  Module,
  Optional,
} from '@nestjs/common';
import type { CallersRequest } from './transport';

/**
 * What happens at the start where routes declare no access. `stop`: the start is refused. `warn`: the log names them,
 * since code of others cannot be decorated. `leave`: nothing.
 */
export type UndeclaredRoutes = 'stop' | 'warn' | 'leave';

const UNDECLARED_ROUTES = Symbol('UndeclaredRoutes');

/** For commands beside the service: they answer no requests, and an application may guard and serve what it adds itself. */
@Global()
@Module({
  providers: [{ provide: UNDECLARED_ROUTES, useValue: 'leave' satisfies UndeclaredRoutes }],
  exports: [UNDECLARED_ROUTES],
})
export class UnservedRoutesModule {}

/** Which routes our guard is responsible for. In a standalone application: all of them. */
@Injectable()
export class GuardScope {
  @Optional()
  @Inject(UNDECLARED_ROUTES)
  readonly undeclaredRoutes: UndeclaredRoutes = 'stop';

  /** Whether this route is refused, given that it declares no access. */
  refusesUndeclared(_context: ExecutionContext): boolean {
    return true;
  }

  /** The request as our own application would see it, with its settings. */
  withServiceSettings(request: CallersRequest): CallersRequest {
    return request;
  }
}
