import { HttpStatus, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Answer } from '../collections';
import { Forbidden, InvalidPayload, InvalidToken, SeveralErrors } from '../common/errors';
import type { Exchange } from '../common/http/exchange';
import { readInput } from '../common/request/read-input';
import { AppConfig } from '../config/app-config';
import type { Queries } from '../database';
import { OneTimeTokens } from '../one-time-tokens';
import { type AccountRow, isUnverified } from './account-row';
import { type Activated, Activation } from './activation';
import { confirmationBinding, PURPOSE } from './confirmation-links';
import { VerifyInput } from './registration.inputs';
import { PENDING } from './registration-sql';

/** The page that shows the result in a browser. */
const PAGE = '/admin/verify-email';

export interface Verified {
  readonly id: string;
  readonly status: 'active';
}

interface PendingRow {
  readonly id: string;
  readonly password: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** Confirms registrations by their mailed links. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly config: AppConfig,
    private readonly tokens: OneTimeTokens,
    private readonly activation: Activation,
  ) {}

  /**
   * The user gets the password and names of the registration that the link was sent for; all others no longer count.
   * @throws InvalidToken
   */
  async verify({ token }: VerifyInput, request: Request): Promise<Verified> {
    const user = await this.tokens.find(PURPOSE, token);
    await this.activation.activate({ user, purpose: PURPOSE, request }, (tx, row) =>
      this.redeem(tx, row, token),
    );
    return { id: user, status: 'active' };
  }

  /**
   * The link itself: a browser is redirected to a page, any other client gets the answer.
   * @throws InvalidPayload, InvalidToken to clients that are not browsers
   */
  async follow(sent: unknown, { request, response }: Exchange): Promise<void> {
    if (isBrowser(request)) {
      const status = await this.outcome(sent, request);
      // The token stays behind.
      response.redirect(HttpStatus.SEE_OTHER, `${this.config.publicUrl}${PAGE}?status=${status}`);
      return;
    }
    const data = await this.verify(inputOf(sent), request);
    response.json({ data } satisfies Answer<Verified>);
  }

  private async outcome(sent: unknown, request: Request): Promise<'verified' | 'invalid'> {
    try {
      await this.verify(inputOf(sent), request);
      return 'verified';
    } catch (error) {
      if (isInvalidLink(error)) return 'invalid';
      throw error;
    }
  }

  private async redeem(tx: Queries, user: AccountRow, token: string): Promise<Activated> {
    if (!isUnverified(user)) throw new InvalidToken({});
    const pending = await tx.query<PendingRow>(PENDING, [user.id]);
    const states = new Map(pending.map((row) => [confirmationBinding(row.id, user.email), row]));
    const purpose = { purpose: PURPOSE, user: user.id } as const;
    const confirmed = await this.tokens.redeemOneOf(tx, purpose, token, states);
    const { password, first_name, last_name } = confirmed;
    return { password, names: { first_name, last_name } };
  }
}

/** Mail programs add parameters of their own to links. */
const inputOf = (sent: unknown): VerifyInput => {
  const { token } = { ...(sent as { readonly token?: unknown }) };
  return readInput(VerifyInput, { token });
};

/** Or one whose confirmation a team's hook refuses: the page says that it does not work. */
const isInvalidLink = (error: unknown): boolean =>
  error instanceof Forbidden ||
  error instanceof InvalidToken ||
  error instanceof InvalidPayload ||
  error instanceof SeveralErrors;

/** A client that accepts anything gets JSON. */
const isBrowser = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';
