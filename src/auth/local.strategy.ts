import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-local';
import type { Account } from './accounts';
import type { LoginInput } from './auth.inputs';

/** A sign-in under way, with the way to prove it of the application that it came to. */
export interface SigningIn extends Request {
  prove?: (input: LoginInput) => Promise<Account>;
  account?: Account;
}

export const LOCAL = 'doorward-local';

/**
 * Passport's registry is one for the whole process, and of two applications in it the later one's strategy counts: this
 * one keeps nothing, and finds on the request how to prove an account, as the guard has put it there.
 */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy, LOCAL) {
  constructor() {
    super({ usernameField: 'email', passReqToCallback: true });
  }

  /** @throws InvalidCredentials, InvalidOtp, RequestsExceeded, ServiceUnavailable */
  validate({ prove, body }: SigningIn): Promise<Account> {
    if (!prove) throw new Error('No guard has said how an account is proved');
    return prove(body as LoginInput);
  }
}
