import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { InvalidCredentials } from '../common/errors';
import { AppConfig } from '../config/app-config';
import { argumentsOf } from '../graphql';
import { readInput } from '../common/request/read-input';
import { requestOf } from '../common/request/transport';
import { Throttle } from '../throttle';
import { foldEmail } from '../users';
import { type Account, Accounts } from './accounts';
import { clientOf } from './client';
import { LoginInput } from './auth.inputs';
import { LOCAL, type SigningIn } from './local.strategy';

/** Requires the e-mail and password of a user: in the body, or as arguments of an operation. */
@Injectable()
export class LocalAuthGuard extends AuthGuard(LOCAL) {
  constructor(
    private readonly accounts: Accounts,
    private readonly throttle: Throttle,
    private readonly config: AppConfig,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.config.authDisableDefault) throw new InvalidCredentials({});
    const request: SigningIn = requestOf(context);
    request.verifyCredentials = (input) =>
      this.throttle.attemptSignIn(request, foldEmail(input.email), () =>
        this.accounts.verifyCredentials(input, clientOf(request)),
      );
    return super.canActivate(context) as Promise<boolean>;
  }

  /**
   * The request for passport, with both in the body, since passport would also read the query string, which ends up in
   * logs.
   */
  override getRequest(context: ExecutionContext): SigningIn {
    const request: SigningIn = requestOf(context);
    const body = readInput(LoginInput, sentBy(context, request));
    return Object.create(request, { body: { value: body } }) as SigningIn;
  }

  override handleRequest<T>(
    error: unknown,
    account: T | false | undefined,
    _info: unknown,
    context: ExecutionContext,
  ): T {
    if (!account) throw error instanceof Error ? error : new Error('Passport gave no answer');
    requestOf<SigningIn>(context).account = account as Account & T;
    return account;
  }
}

const sentBy = (context: ExecutionContext, request: SigningIn): unknown =>
  context.getType<string>() === 'http' ? request.body : argumentsOf(context);

/** Whose e-mail and password were sent, as the guard has checked them. */
export const AuthenticatedAccount = createParamDecorator(
  (_: unknown, context: ExecutionContext): Account => {
    const { account } = requestOf<SigningIn>(context);
    if (!account) throw new Error('No guard has checked the password');
    return account;
  },
);
