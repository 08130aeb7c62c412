import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../../common/request/access.decorators';
import { Describe } from '../../common/request/describe.decorator';
import { reading } from '../../common/request/read-input';
import { RequestLimitGuard } from '../../throttle';
import { PasswordRequests } from './password-requests';
import { PasswordRequestInput, PasswordResetInput } from './password-reset.inputs';
import { PasswordResets } from './password-resets';

/** Resetting a forgotten password. */
@Controller('auth/password')
@Public()
@UseGuards(RequestLimitGuard)
export class PasswordResetController {
  constructor(
    private readonly requests: PasswordRequests,
    private readonly resets: PasswordResets,
  ) {}

  @Post('request')
  @Describe('Ask for a mail that leads to a new password')
  @HttpCode(204)
  request(@Body(reading(PasswordRequestInput)) input: PasswordRequestInput): Promise<void> {
    return this.requests.request(input);
  }

  @Post('reset')
  @Describe('Set a new password by the token of that mail')
  @HttpCode(204)
  reset(
    @Body(reading(PasswordResetInput)) input: PasswordResetInput,
    @Req() request: Request,
  ): Promise<void> {
    return this.resets.reset(input, request);
  }
}
