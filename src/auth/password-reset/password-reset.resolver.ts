import { UseGuards } from '@nestjs/common';
import { Context, Mutation, Resolver } from '@nestjs/graphql';
import { Public } from '../../common/request/access.decorators';
import { reading } from '../../common/request/read-input';
import { Arguments, type GraphqlContext, TypeDefs } from '../../graphql';
import { RequestLimitGuard } from '../../throttle';
import { PasswordRequests } from './password-requests';
import { PasswordRequestInput, PasswordResetInput } from './password-reset.inputs';
import { PasswordResets } from './password-resets';

const SDL = `
  extend type Mutation {
    auth_password_request(email: String!, reset_url: String): Boolean
    auth_password_reset(token: String!, password: String!): Boolean
  }`;

/** The same two operations as in REST. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: SDL })
@Public()
@UseGuards(RequestLimitGuard)
export class PasswordResetResolver {
  constructor(
    private readonly requests: PasswordRequests,
    private readonly resets: PasswordResets,
  ) {}

  @Mutation('auth_password_request')
  async request(
    @Arguments(reading(PasswordRequestInput)) input: PasswordRequestInput,
  ): Promise<boolean> {
    await this.requests.request(input);
    return true;
  }

  @Mutation('auth_password_reset')
  async reset(
    @Arguments(reading(PasswordResetInput)) input: PasswordResetInput,
    @Context() { request }: GraphqlContext,
  ): Promise<boolean> {
    await this.resets.reset(input, request);
    return true;
  }
}
