import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { argumentsOf } from '../graphql';
import { readInput } from '../common/request/read-input';
import { requestOf } from '../common/request/transport';
import { type Account, Accounts } from './accounts';
import { LoginInput } from './auth.inputs';
import { LOCAL, type SigningIn } from './local.strategy';

/** Lets through whoever sends the e-mail and password of a user: in the body, or as arguments of an operation. */
@Injectable()
export class LocalAuthGuard extends AuthGuard(LOCAL) {
  constructor(private readonly accounts: Accounts) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request: SigningIn = requestOf(context);
    request.accounts = this.accounts;
    return super.canActivate(context) as Promise<boolean>;
  }

  /** What passport reads: a body that holds both, since it would also look into the query string, which ends in logs. */
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

/** Whom the password proved. */
export const Proven = createParamDecorator((_: unknown, context: ExecutionContext): Account => {
  const { account } = requestOf<SigningIn>(context);
  if (!account) throw new Error('No guard has checked the password');
  return account;
});
