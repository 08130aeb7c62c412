import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppConfig } from '../../config/app-config';
import { Forbidden, InvalidCredentials, TfaRequired } from '../errors';
import { ROUTE_ACCESS, type RouteAccess } from './access.decorators';
import { DeclaredQueries } from './declared-query';
import { mayCall } from './may-call';
import { GuardScope } from './guard-scope';
import { RequestAuthenticator } from './request-authenticator';
import { type CallersRequest, isRequest, requestOf } from './transport';

/**
 * Decides whether this caller may use a route at all, and refuses routes that declare no access. The repository decides
 * which rows and fields.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: RequestAuthenticator,
    private readonly scope: GuardScope,
    private readonly config: AppConfig,
    private readonly queries: DeclaredQueries,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // Messages to microservices and over sockets are not requests: their own guards identify the sender.
    if (!isRequest(context)) return true;
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!access) return this.admitUndeclared(context);
    const request = requestOf(context);
    await this.admit(access, request);
    const ignores = this.config.queryUnknown === 'ignore';
    this.queries.refuseUndeclared(context.getHandler(), request, ignores);
    return true;
  }

  private async admit(access: RouteAccess, request: CallersRequest): Promise<void> {
    if (access.kind === 'public') {
      request.caller = () => this.authenticator.authenticate(request, access.staleToken);
      return;
    }
    const caller = await this.authenticator.authenticate(request, 'refused');
    request.caller = () => Promise.resolve(caller);
    if (caller.needsTfa && !isOpenWithoutTfa(access)) throw new TfaRequired({});
    if (asksToSignIn(access) && caller.user === null) throw new InvalidCredentials({});
    if (!mayCall(access, caller, request.params)) throw new Forbidden({});
  }

  private admitUndeclared(context: ExecutionContext): true {
    if (this.scope.refusesUndeclared(context)) throw new Forbidden({});
    return true;
  }
}

const isOpenWithoutTfa = (access: RouteAccess): boolean =>
  access.kind === 'signed-in' && access.withoutTfa === true;

const asksToSignIn = (access: RouteAccess): boolean =>
  access.kind === 'signed-in' && access.asksToSignIn === true;
