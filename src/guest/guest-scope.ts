import { IncomingMessage } from 'node:http';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { GuardScope, type UnsaidRoutes } from '../common/request/guard-scope';
import type { CallersRequest } from '../common/request/transport';
import { HostRequestRouter } from './host-request-router';
import type { GuardMode } from './guest-options';
import { isOurs } from './own-controllers';

/** Injection token: which routes our guard judges. */
export const GUARD_MODE = Symbol('GuardMode');

@Injectable()
export class GuestScope extends GuardScope {
  override readonly unsaidRoutes: UnsaidRoutes;

  constructor(
    @Inject(GUARD_MODE) private readonly mode: GuardMode,
    private readonly router: HostRequestRouter,
  ) {
    super();
    this.unsaidRoutes = mode === 'all' ? 'warn' : 'leave';
  }

  override refusesUnsaid(context: ExecutionContext): boolean {
    if (this.mode === 'all') return true;
    const kind: string = context.getType();
    return kind === 'graphql'
      ? context.getArgByIndex(0) instanceof IncomingMessage
      : isOurs(context.getHandler());
  }

  override seen(request: CallersRequest): CallersRequest {
    return this.router.seen(request);
  }
}
