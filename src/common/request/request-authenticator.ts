import { Injectable } from '@nestjs/common';
import type { Caller } from '../../engine';
import { Authenticator } from './authenticator';
import { GuardScope } from './guard-scope';
import type { CallersRequest } from './transport';

/** Identifies the sender once per request: all its operations have the same caller. */
@Injectable()
export class RequestAuthenticator {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly scope: GuardScope,
  ) {}

  /**
   * @param strict refuse a bad or expired token; otherwise its sender counts as not signed in
   * @throws InvalidCredentials, TokenExpired, Forbidden for a forged request
   */
  authenticate(request: CallersRequest, strict: boolean): Promise<Caller> {
    const found = (request.identified ??= new Map<boolean, Promise<Caller>>());
    const known = found.get(strict) ?? this.identify(request, strict);
    found.set(strict, known);
    return known;
  }

  private async identify(request: CallersRequest, strict: boolean): Promise<Caller> {
    const caller = await this.authenticator.authenticate(
      this.scope.withServiceSettings(request),
      strict,
    );
    if (caller.user !== null) request.sender = caller.user;
    return caller;
  }
}
