import { IncomingMessage } from 'node:http';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { GuardScope, type UndeclaredRoutes } from '../common/request/guard-scope';
import type { CallersRequest } from '../common/request/transport';
import { HostRequestRouter } from './host-request-router';
import type { GuardMode } from './guest-options';
import { isOurs } from './own-controllers';

/** Injection token: which routes our guard checks. */
export const GUARD_MODE = Symbol('GuardMode');

@Injectable()
export class GuestScope extends GuardScope {
  override readonly undeclaredRoutes: UndeclaredRoutes;

  constructor(
    @Inject(GUARD_MODE) private readonly mode: GuardMode,
    private readonly router: HostRequestRouter,
  ) {
    super();
    this.undeclaredRoutes = mode === 'all' ? 'warn' : 'leave';
  }

  override refusesUndeclared(context: ExecutionContext): boolean {
    if (this.mode === 'all') return true;
    const kind: string = context.getType();
    return kind === 'graphql'
      ? context.getArgByIndex(0) instanceof IncomingMessage
      : isOurs(context.getHandler());
  }

  override withServiceSettings(request: CallersRequest): CallersRequest {
    return this.router.withServiceSettings(request);
  }
}
