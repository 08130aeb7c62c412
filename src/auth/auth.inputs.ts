import { type BodyOf, oneOf, optional, text } from '../common/request/read-body';

export const MODES = ['json', 'cookie', 'session'] as const;

/** Where the tokens go: into the answer, the refresh token into its cookie, or all into the session cookie. */
export type Mode = (typeof MODES)[number];

const MODE = optional(oneOf(...MODES));

export const LOGIN = {
  email: text(),
  password: text(),
  otp: optional(text()),
  mode: MODE,
};

export const TOKEN = { refresh_token: optional(text()), mode: MODE };

export type LoginInput = BodyOf<typeof LOGIN>;
export type TokenInput = BodyOf<typeof TOKEN>;
