import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { SignedIn } from '../../common/request/access.decorators';
import { reading } from '../../common/request/read-input';
import { CurrentCaller } from '../../common/request/transport';
import type { Caller } from '../../engine';
import { TypeDefs } from '../../graphql';
import { StaticTokenInput } from './static-tokens.inputs';
import {
  type NewStaticToken,
  StaticTokensService,
  type StaticTokenView,
} from './static-tokens.service';

const FIELDS =
  'id: ID name: String policies: [ID!] created_at: Date last_used: Date expires_at: Date';
const SDL = `
  type users_token { ${FIELDS} }
  type users_new_token { ${FIELDS} token: String }
  extend type Query { users_me_tokens: [users_token!] }
  extend type Mutation {
    create_users_me_token(
      name: String!, policies: [ID!], expires_at: Date, current_password: String, otp: String
    ): users_new_token
    delete_users_me_token(id: ID!): delete_one
    delete_users_tokens(id: ID!): Boolean
  }`;

/** The same four operations as in REST. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: SDL })
@SignedIn({ asksToSignIn: true, staticToken: 'refused' })
export class StaticTokensResolver {
  constructor(private readonly tokens: StaticTokensService) {}

  @Query('users_me_tokens')
  list(@CurrentCaller() caller: Caller): Promise<StaticTokenView[]> {
    return this.tokens.list(caller);
  }

  @Mutation('create_users_me_token')
  create(
    @CurrentCaller() caller: Caller,
    // Not `@Arguments`, which leaves out what is null: `policies: null` would then mean all policies, and
    // `expires_at: null` for ever.
    @Args(reading(StaticTokenInput)) input: StaticTokenInput,
  ): Promise<NewStaticToken> {
    return this.tokens.create(caller, input);
  }

  @Mutation('delete_users_me_token')
  async endOne(@CurrentCaller() caller: Caller, @Args('id') id: string): Promise<{ id: string }> {
    await this.tokens.endOne(caller, id);
    return { id };
  }

  @Mutation('delete_users_tokens')
  @SignedIn()
  async endAllOf(@CurrentCaller() caller: Caller, @Args('id') id: string): Promise<boolean> {
    await this.tokens.endAllOf(caller, id);
    return true;
  }
}
