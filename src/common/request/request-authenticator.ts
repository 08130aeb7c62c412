import { Injectable } from '@nestjs/common';
import type { Caller } from '../../engine';
import { Authenticator, type StaleToken } from './authenticator';
import { GuardScope } from './guard-scope';
import type { CallersRequest } from './transport';

/** Identifies the sender once per request: all its operations that treat stale tokens alike have the same caller. */
@Injectable()
export class RequestAuthenticator {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly scope: GuardScope,
  ) {}

  /** @throws what `Authenticator.authenticate` throws */
  authenticate(request: CallersRequest, staleToken: StaleToken): Promise<Caller> {
    const found = (request.identified ??= new Map<StaleToken, Promise<Caller>>());
    const known = found.get(staleToken) ?? this.identify(request, staleToken);
    found.set(staleToken, known);
    return known;
  }

  private async identify(request: CallersRequest, staleToken: StaleToken): Promise<Caller> {
    const caller = await this.authenticator.authenticate(
      this.scope.withServiceSettings(request),
      staleToken,
    );
    if (caller.user !== null) request.sender = caller.user;
    return caller;
  }
}
