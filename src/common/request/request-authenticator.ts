import { Injectable } from '@nestjs/common';
import type { Caller } from '../../engine';
import { Authenticator } from './authenticator';
import { GuardScope } from './guard-scope';
import type { CallersRequest } from './transport';

/** Finds out once for each request who has sent it: all its operations are asked for by the same caller. */
@Injectable()
export class RequestAuthenticator {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly scope: GuardScope,
  ) {}

  /**
   * @param strict refuse a bad or expired token; otherwise whoever sends it is taken for nobody
   * @throws InvalidCredentials, TokenExpired, Forbidden for a forged request
   */
  authenticate(request: CallersRequest, strict: boolean): Promise<Caller> {
    const found = (request.identified ??= new Map<boolean, Promise<Caller>>());
    const known = found.get(strict) ?? this.look(request, strict);
    found.set(strict, known);
    return known;
  }

  private async look(request: CallersRequest, strict: boolean): Promise<Caller> {
    const caller = await this.authenticator.authenticate(this.scope.seen(request), strict);
    if (caller.user !== null) request.sender = caller.user;
    return caller;
  }
}
