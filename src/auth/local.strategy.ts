import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-local';
import type { Account } from './accounts';
import type { LoginInput } from './auth.inputs';

/** A sign-in under way, with what verifies credentials in the application that it came to. */
export interface SigningIn extends Request {
  verifyCredentials?: (input: LoginInput) => Promise<Account>;
  account?: Account;
}

export const LOCAL = 'doorward-local';

/**
 * Passport's registry is one for the whole process, and of two applications in it the later one's strategy counts: this
 * one keeps nothing, and finds on the request how credentials are verified, as the guard has put it there.
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
