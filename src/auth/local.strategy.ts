import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-local';
import type { Account, Accounts } from './accounts';

/** A sign-in under way, with the accounts of the application that it came to. */
export interface SigningIn extends Request {
  accounts?: Accounts;
  account?: Account;
}

export const LOCAL = 'doorward-local';

/**
 * Passport's registry is one for the whole process, and of two applications in it the later one's strategy counts: this
 * one keeps nothing, and takes the accounts from the request, where the guard has put its own.
 */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy, LOCAL) {
  constructor() {
    super({ usernameField: 'email', passReqToCallback: true });
  }

  /** @throws InvalidCredentials, InvalidOtp */
  validate({ accounts }: SigningIn, email: string, password: string): Promise<Account> {
    if (!accounts) throw new Error('No guard has put its accounts on the request');
    return accounts.prove(email, password);
  }
}
