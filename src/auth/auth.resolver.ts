import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { type Call, type Operation, type OperationResolver, Resolves } from '../collections';
import { readBody } from '../common/request/read-body';
import { Accounts } from './accounts';
import { LOGIN, MODES, TOKEN } from './auth.inputs';
import { AuthService } from './auth.service';
import type { Tokens } from './token-exchange';

const MODE = new GraphQLEnumType({
  name: 'auth_mode',
  values: Object.fromEntries(MODES.map((mode) => [mode, {}])),
});

const TOKENS = new GraphQLObjectType({
  name: 'auth_tokens',
  fields: {
    access_token: { type: GraphQLString },
    refresh_token: { type: GraphQLString },
    // Milliseconds: 25 days are more than an Int holds.
    expires: { type: GraphQLFloat },
  },
});

const TOKEN_ARGUMENTS = { refresh_token: { type: GraphQLString }, mode: { type: MODE } };

/** The same three as on REST. Who shows no password that is right gets no further than the proof. */
@Resolves('system')
export class AuthResolver implements OperationResolver {
  constructor(
    private readonly accounts: Accounts,
    private readonly auth: AuthService,
  ) {}

  operations(): Operation[] {
    return [this.login(), this.refresh(), this.logout()];
  }

  private login(): Operation {
    const required = { type: new GraphQLNonNull(GraphQLString) };
    return {
      ...{ kind: 'mutation', name: 'auth_login', access: { kind: 'public' }, type: TOKENS },
      args: {
        ...{ email: required, password: required },
        ...{ mode: { type: MODE }, otp: { type: GraphQLString } },
      },
      resolve: async (call): Promise<Tokens> => {
        const input = readBody(given(call), LOGIN);
        const account = await this.accounts.prove(input.email, input.password);
        return this.auth.signIn(account, input, call);
      },
    };
  }

  private refresh(): Operation {
    return {
      ...{ kind: 'mutation', name: 'auth_refresh', access: { kind: 'public' }, type: TOKENS },
      args: TOKEN_ARGUMENTS,
      resolve: (call) => this.auth.refresh(readBody(given(call), TOKEN), call),
    };
  }

  private logout(): Operation {
    return {
      ...{ kind: 'mutation', name: 'auth_logout', access: { kind: 'public' } },
      type: GraphQLBoolean,
      args: TOKEN_ARGUMENTS,
      resolve: async (call): Promise<boolean> => {
        await this.auth.signOut(readBody(given(call), TOKEN), call);
        return true;
      },
    };
  }
}

/** The arguments. Clients send `null` for a variable that they leave out. */
const given = ({ args }: Call): object =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
