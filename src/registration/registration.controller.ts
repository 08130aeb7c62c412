import {
  Body,
  Controller,
  Get,
  Head,
  HttpCode,
  HttpStatus,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public, RequirePermission } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { objectOf, TEXT, UUID } from '../common/request/json-schema';
import { reading } from '../common/request/read-input';
import { CurrentCaller } from '../common/request/transport';
import type { Caller } from '../engine';
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
import { VerificationService } from './verification.service';

const VERIFIED = objectOf({ id: UUID, status: TEXT });

/** How people become users by registration or invitation. */
@Controller()
@Public()
@UseGuards(RequestLimitGuard)
export class RegistrationController {
  constructor(
    private readonly registrations: RegistrationsService,
    private readonly verification: VerificationService,
    private readonly acceptance: AcceptanceService,
  ) {}

  /** Answers the same whatever is sent; the application answers unreadable requests alike. */
  @Post(['register', 'users/register'])
  @Describe('Register; answers alike whatever comes of it', { anyQuery: true, makesUser: true })
  @HttpCode(204)
  @UseFilters(UniformAnswerFilter)
  register(
    @Body(reading(RegisterInput)) input: RegisterInput,
    @Req() request: Request,
  ): Promise<void> {
    return this.registrations.register(input, request);
  }

  @Post('users/register/resend')
  @Describe('Send the mail of a registration again')
  @HttpCode(204)
  resend(@Body(reading(ResendInput)) input: ResendInput): Promise<void> {
    return this.registrations.resend(input);
  }

  /** HEAD requests, as for link previews, do not use up the link. */
  @Head('users/register/verify-email')
  @Describe('Look where the link leads, without following it', {
    anyQuery: true,
    query: { token: TEXT },
  })
  @HttpCode(204)
  look(): void {}

  @Get('users/register/verify-email')
  @Describe('Follow the link of a registration; browsers are redirected to a page', {
    queryInput: VerifyInput,
    redirectsBrowsers: HttpStatus.SEE_OTHER,
    answer: VERIFIED,
  })
  verify(
    @Query() sent: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.verification.follow(sent, { request, response });
  }

  @Post('users/invite/accept')
  @Describe('Accept an invitation by the token of its mail')
  @HttpCode(204)
  accept(@Body(reading(AcceptInput)) input: AcceptInput, @Req() request: Request): Promise<void> {
    return this.acceptance.accept(input, request);
  }
}

/** For callers who may create users. */
@Controller('users')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Post('invite')
  @Describe('Invite people')
  @HttpCode(204)
  @RequirePermission('create', 'service_users')
  invite(
    @CurrentCaller() caller: Caller,
    @Body(reading(InviteInput)) input: InviteInput,
  ): Promise<void> {
    return this.invitations.invite(caller, input);
  }
}
