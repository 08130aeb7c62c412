import type { SessionOperation } from '../support';

const REFRESH = 'service_refresh_token';
const SESSION = 'service_session_token';

export type Mode = 'json' | 'cookie' | 'session';

export interface AuthScenario {
  readonly it: string;
  /** In which mode the browser has signed in before. */
  readonly signedIn?: Mode;
  readonly ask: SessionOperation;
  /** `<token>`: the refresh token that signing in gave. */
  readonly send: Readonly<Record<string, string>>;
  /** The properties of the answer. */
  readonly gives?: readonly string[];
  /** The cookies that the browser holds afterwards. */
  readonly holds?: readonly string[];
  /** How many sessions end; one, where somebody signs out. */
  readonly ends?: number;
  /** The field that is missing. */
  readonly lacks?: string;
}

const JSON_TOKENS = ['access_token', 'expires', 'refresh_token'];
const COOKIE_TOKENS = ['access_token', 'expires'];
const COOKIE_MODES = [{ mode: 'cookie' }, { mode: 'session' }];

export const SCENARIOS: readonly AuthScenario[] = [
  {
    it: 'in json mode answers both tokens',
    ask: 'login',
    send: { mode: 'json' },
    gives: JSON_TOKENS,
  },
  { it: 'without a mode uses json mode', ask: 'login', send: {}, gives: JSON_TOKENS },
  {
    it: 'in cookie mode keeps the refresh token in its cookie',
    ...{ ask: 'login', send: { mode: 'cookie' }, gives: COOKIE_TOKENS, holds: [REFRESH] },
  },
  {
    it: 'in session mode answers only the lifetime',
    ...{ ask: 'login', send: { mode: 'session' }, gives: ['expires'], holds: [SESSION] },
  },
  {
    it: 'in another mode deletes the cookie of the first',
    ...{ signedIn: 'session', ask: 'login', send: { mode: 'cookie' } },
    ...{ gives: COOKIE_TOKENS, holds: [REFRESH] },
  },
  {
    it: 'with a token and no mode uses json mode',
    ...{ signedIn: 'json', ask: 'refresh', send: { refresh_token: '<token>' }, gives: JSON_TOKENS },
  },
  {
    it: 'with a token in cookie mode sets the cookie',
    ...{ signedIn: 'json', ask: 'refresh', send: { refresh_token: '<token>', mode: 'cookie' } },
    ...{ gives: COOKIE_TOKENS, holds: [REFRESH] },
  },
  {
    it: 'with a token in session mode sets the session cookie',
    ...{ signedIn: 'json', ask: 'refresh', send: { refresh_token: '<token>', mode: 'session' } },
    ...{ gives: ['expires'], holds: [SESSION] },
  },
  {
    it: 'by cookie renews the cookie',
    ...{ signedIn: 'cookie', ask: 'refresh', send: { mode: 'cookie' } },
    ...{ gives: COOKIE_TOKENS, holds: [REFRESH] },
  },
  {
    it: 'by cookie needs no mode',
    ...{ signedIn: 'cookie', ask: 'refresh', send: {}, gives: COOKIE_TOKENS, holds: [REFRESH] },
  },
  {
    it: 'by cookie in session mode replaces the cookie by a session cookie',
    ...{ signedIn: 'cookie', ask: 'refresh', send: { mode: 'session' } },
    ...{ gives: ['expires'], holds: [SESSION] },
  },
  {
    it: 'by cookie in json mode never answers tokens',
    ...{ signedIn: 'cookie', ask: 'refresh', send: { mode: 'json' }, lacks: 'refresh_token' },
    holds: [REFRESH],
  },
  {
    it: 'by session cookie renews the session cookie',
    ...{ signedIn: 'session', ask: 'refresh', send: { mode: 'session' } },
    ...{ gives: ['expires'], holds: [SESSION] },
  },
  {
    it: 'by session cookie without a mode renews it',
    ...{ signedIn: 'session', ask: 'refresh', send: {}, gives: ['expires'], holds: [SESSION] },
  },
  {
    it: 'by session cookie in cookie mode never answers an access token',
    ...{ signedIn: 'session', ask: 'refresh', send: { mode: 'cookie' }, lacks: 'refresh_token' },
    holds: [SESSION],
  },
  {
    it: 'by session cookie in json mode never answers tokens',
    ...{ signedIn: 'session', ask: 'refresh', send: { mode: 'json' }, lacks: 'refresh_token' },
    holds: [SESSION],
  },
  ...(['refresh', 'logout'] as const).flatMap((ask): AuthScenario[] =>
    [{}, { mode: 'json' }, ...(ask === 'refresh' ? COOKIE_MODES : [])].map((send) => ({
      it: `without a token (${JSON.stringify(send)}) names what is missing`,
      ...{ ask, send: send as AuthScenario['send'], lacks: 'refresh_token' },
    })),
  ),
  ...COOKIE_MODES.map((send): AuthScenario => ({
    it: `without a cookie (${JSON.stringify(send)}) has nothing to end`,
    ...{ ask: 'logout', send, ends: 0 },
  })),
  {
    it: 'in cookie mode by session cookie ends its session too',
    ...{ signedIn: 'session', ask: 'logout', send: { mode: 'cookie' } },
  },
  {
    it: 'by token ends the session',
    ...{ signedIn: 'json', ask: 'logout', send: { refresh_token: '<token>', mode: 'json' } },
  },
  {
    it: 'by cookie deletes the cookie',
    signedIn: 'cookie',
    ask: 'logout',
    send: { mode: 'cookie' },
  },
  { it: 'by cookie needs no mode', signedIn: 'cookie', ask: 'logout', send: {} },
  {
    it: 'by session cookie deletes the cookie',
    signedIn: 'session',
    ask: 'logout',
    send: { mode: 'session' },
  },
  { it: 'by session cookie needs no mode', signedIn: 'session', ask: 'logout', send: {} },
];
