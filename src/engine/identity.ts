/** The facts about a caller that rules refer to. */
export interface Identity {
  /** Key of the user's row; null for a caller who is not signed in. */
  readonly user: string | null;
  readonly role: string | null;
  /** The role and its ancestors. */
  readonly roles: readonly string[];
  /** Null where unknown; an unknown address matches no address list. */
  readonly ip: string | null;
  /** One instant for the whole request, to the millisecond. */
  readonly now: Date;
  /** The session that the caller used. */
  readonly session: string | null;
  /** The static token that they used instead of a session. */
  readonly staticToken: string | null;
}

/** Aborted once the client has disconnected before the answer; an AbortSignal fits. */
export interface DisconnectSignal extends Pick<AbortSignal, 'aborted'> {
  /** Calls `work` when the answer has been written or the client has left, or both. */
  onceAnswered?(work: () => void): void;
}

/** Facts about the request itself, read on demand. */
export interface RequestInfo {
  /** The User-Agent header. */
  readonly userAgent: string | null;
  /** The site that sent the request, if the browser names it. */
  readonly origin: string | null;
  /** The caller's comment on a change. Reading it throws where it cannot be stored. */
  readonly comment: string | null;
}
