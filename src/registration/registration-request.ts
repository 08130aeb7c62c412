import type { Actor } from '../activity';

/** The queue of what was asked for by people who are nobody yet. */
export const REGISTRATIONS = 'registrations';

/** A registration as it waits to be looked into. */
export interface NewRegistration {
  readonly kind: 'register';
  readonly email: string;
  /** The hash; null where the password is refused: that is found out before, and told nobody. */
  readonly password: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  /** Where the link leads, without its token; null where it may not lead there. */
  readonly url: string | null;
  /** For the log. */
  readonly actor: Actor;
}

/** Somebody waits for the mail. */
export interface NewLink {
  readonly kind: 'resend';
  readonly email: string;
}

export type RegistrationRequest = NewRegistration | NewLink;
