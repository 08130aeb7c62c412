import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import type { NextFunction, Request } from 'express';
import { Passport } from 'passport';
import { Strategy } from 'passport-local';
import { readBody } from '../common/request/read-body';
import { requestOf } from '../common/request/transport';
import { type Account, Accounts } from './accounts';
import { LOGIN } from './auth.inputs';

const STRATEGY = 'password';

interface SigningIn extends Request {
  account?: Account;
}

/**
 * Lets through whoever sends the e-mail and password of a user. Passport's own registry is one for the whole process;
 * this guard keeps its strategy to itself, so that two applications in one process do not share users.
 */
@Injectable()
export class PasswordGuard implements CanActivate {
  private readonly passport = new Passport();

  constructor(accounts: Accounts) {
    const strategy = new Strategy({ usernameField: 'email' }, (email, password, done) => {
      accounts.prove(email, password).then((account) => done(null, account), done);
    });
    // By name: Passport then makes an object for each request. One that is handed over is shared by all of them, and
    // of two sign-ins under way at once the later one would be answered with the earlier one's account.
    this.passport.use(STRATEGY, strategy);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request: SigningIn = requestOf(context);
    // Passport would also look into the query string, which ends in logs.
    readBody(request.body, LOGIN);
    request.account = await this.authenticate(request);
    return true;
  }

  private authenticate(request: Request): Promise<Account> {
    return new Promise((resolve, reject) => {
      const answer = (error: unknown, account?: Account | false): void => {
        if (account) resolve(account);
        else reject(error instanceof Error ? error : new Error('Passport gave no answer'));
      };
      const run = this.passport.authenticate(STRATEGY, { session: false }, answer) as (
        request: Request,
        response: unknown,
        next: NextFunction,
      ) => void;
      run(request, request.res, answer as NextFunction);
    });
  }
}

/** Whom the password proved. */
export const Proven = createParamDecorator((_: unknown, context: ExecutionContext): Account => {
  const { account }: SigningIn = requestOf(context);
  if (!account) throw new Error('No guard has checked the password');
  return account;
});
