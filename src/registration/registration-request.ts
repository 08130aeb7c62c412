import type { Actor } from '../activity';

/** The queue of requests by people without an account. */
export const REGISTRATIONS = 'registrations';

/** A registration that waits to be processed. */
export interface NewRegistration {
  readonly kind: 'register';
  readonly email: string;
  /** The hash; null where the password is refused, which is decided before and not reported. */
  readonly password: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  /** The target of the link, without its token; null if it is not allowed, or the address could not register then. */
  readonly url: string | null;
  /** For the log. */
  readonly actor: Actor;
}

/** A request for another link. */
export interface NewLink {
  readonly kind: 'resend';
  readonly email: string;
}

export type RegistrationRequest = NewRegistration | NewLink;
