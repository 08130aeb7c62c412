import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-local';
import type { Account } from './accounts';
import type { LoginInput } from './auth.inputs';

/** A sign-in in progress, with the function of its application that checks the password. */
export interface SigningIn extends Request {
  verifyCredentials?: (input: LoginInput) => Promise<Account>;
  account?: Account;
}

export const LOCAL = 'doorward-local';

/**
 * Passport's registry is shared by the whole process, and of two applications the later one's strategy applies: so this
 * one keeps no state, and calls `verifyCredentials`, which the guard has put on the request.
 */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy, LOCAL) {
  constructor() {
    super({ usernameField: 'email', passReqToCallback: true });
  }

  /** @throws InvalidCredentials, InvalidOtp, RequestsExceeded, ServiceUnavailable */
  validate({ verifyCredentials, body }: SigningIn): Promise<Account> {
    if (!verifyCredentials) throw new Error('No guard has said how credentials are verified');
    return verifyCredentials(body as LoginInput);
  }
}
