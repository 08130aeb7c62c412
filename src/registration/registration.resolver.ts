import { UseFilters, UseGuards } from '@nestjs/common';
import { Context, Mutation, Resolver } from '@nestjs/graphql';
import { InvalidPayload } from '../common/errors';
import { Public, RequirePermission } from '../common/request/access.decorators';
import { type InputPipe, readInput, reading } from '../common/request/read-input';
import { CurrentCaller } from '../common/request/transport';
import type { Caller } from '../engine';
import { Arguments, type GraphqlContext, TypeDefs } from '../graphql';
import { RequestLimitGuard } from '../throttle';
import { AcceptanceService } from './acceptance.service';
import { InvitationsService } from './invitations.service';
import {
  AcceptInput,
  InviteInput,
  RegisterInput,
  ResendInput,
  VerifyInput,
} from './registration.inputs';
import { RegistrationsService } from './registrations.service';
import { UniformAnswerFilter } from './uniform-answer.filter';
import { VerificationService, type Verified } from './verification.service';

const SDL = `
  type users_verified { id: ID status: String }
  extend type Mutation {
    users_register(
      email: String! password: String! first_name: String last_name: String verification_url: String
    ): Boolean
    users_register_resend(email: String!): Boolean
    users_register_verify(token: String!): users_verified
    users_invite_accept(token: String!, password: String!): Boolean
  }`;

/** The same operations as in REST. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: SDL })
@Public()
@UseGuards(RequestLimitGuard)
export class RegistrationResolver {
  constructor(
    private readonly registrations: RegistrationsService,
    private readonly verification: VerificationService,
    private readonly acceptance: AcceptanceService,
  ) {}

  @Mutation('users_register')
  @UseFilters(UniformAnswerFilter)
  async register(
    @Arguments(reading(RegisterInput)) input: RegisterInput,
    @Context() { request }: GraphqlContext,
  ): Promise<boolean> {
    await this.registrations.register(input, request);
    return true;
  }

  @Mutation('users_register_resend')
  async resend(@Arguments(reading(ResendInput)) input: ResendInput): Promise<boolean> {
    await this.registrations.resend(input);
    return true;
  }

  @Mutation('users_register_verify')
  verify(
    @Arguments(reading(VerifyInput)) input: VerifyInput,
    @Context() { request }: GraphqlContext,
  ): Promise<Verified> {
    return this.verification.verify(input, request);
  }

  @Mutation('users_invite_accept')
  async accept(
    @Arguments(reading(AcceptInput)) input: AcceptInput,
    @Context() { request }: GraphqlContext,
  ): Promise<boolean> {
    await this.acceptance.accept(input, request);
    return true;
  }
}

const INVITE = `
  extend type Mutation {
    users_invite(email: String, emails: [String!], role: String!, invite_url: String): Boolean
  }`;

/** As in REST, where `email` may also be a list: here no type accepts variables of both. */
const readingInvite: InputPipe<InviteInput> = {
  ...reading(InviteInput),
  transform: ({ emails, ...sent }: Arguments) => {
    if ((emails === undefined) === (sent['email'] === undefined))
      throw new InvalidPayload({
        field: 'email',
        reason: 'or "emails" must be given to users_invite, and only one of them',
      });
    return readInput(InviteInput, emails === undefined ? sent : { ...sent, email: emails });
  },
};

/** For callers who may create users. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: INVITE })
export class InvitationsResolver {
  constructor(private readonly invitations: InvitationsService) {}

  @Mutation('users_invite')
  @RequirePermission('create', 'service_users')
  async invite(
    @CurrentCaller() caller: Caller,
    @Arguments(readingInvite) input: InviteInput,
  ): Promise<boolean> {
    await this.invitations.invite(caller, input);
    return true;
  }
}
