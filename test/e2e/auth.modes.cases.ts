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
  /** The field that is missing. */
  readonly lacks?: string;
}

const JSON_TOKENS = ['access_token', 'expires', 'refresh_token'];
const COOKIE_TOKENS = ['access_token', 'expires'];

export const SCENARIOS: readonly AuthScenario[] = [
  {
    it: 'in json mode gives both tokens',
    ask: 'login',
    send: { mode: 'json' },
    gives: JSON_TOKENS,
  },
  { it: 'without a mode is in json mode', ask: 'login', send: {}, gives: JSON_TOKENS },
  {
    it: 'in cookie mode keeps the refresh token in its cookie',
    ...{ ask: 'login', send: { mode: 'cookie' }, gives: COOKIE_TOKENS, holds: [REFRESH] },
  },
  {
    it: 'in session mode gives nothing but the time',
    ...{ ask: 'login', send: { mode: 'session' }, gives: ['expires'], holds: [SESSION] },
  },
  {
    it: 'in another mode leaves the cookie of the first behind',
    ...{ signedIn: 'session', ask: 'login', send: { mode: 'cookie' } },
    ...{ gives: COOKIE_TOKENS, holds: [REFRESH] },
  },
  {
    it: 'of a token without a mode is in json mode',
    ...{ signedIn: 'json', ask: 'refresh', send: { refresh_token: '<token>' }, gives: JSON_TOKENS },
  },
  {
    it: 'of a token into its cookie',
    ...{ signedIn: 'json', ask: 'refresh', send: { refresh_token: '<token>', mode: 'cookie' } },
    ...{ gives: COOKIE_TOKENS, holds: [REFRESH] },
  },
  {
    it: 'of a token into the session cookie',
    ...{ signedIn: 'json', ask: 'refresh', send: { refresh_token: '<token>', mode: 'session' } },
    ...{ gives: ['expires'], holds: [SESSION] },
  },
  {
    it: 'by cookie',
    ...{ signedIn: 'cookie', ask: 'refresh', send: { mode: 'cookie' } },
    ...{ gives: COOKIE_TOKENS, holds: [REFRESH] },
  },
  {
    it: 'by cookie without a mode',
    ...{ signedIn: 'cookie', ask: 'refresh', send: {}, gives: COOKIE_TOKENS, holds: [REFRESH] },
  },
  {
    it: 'from the cookie of the refresh token into that of the session',
    ...{ signedIn: 'cookie', ask: 'refresh', send: { mode: 'session' } },
    ...{ gives: ['expires'], holds: [SESSION] },
  },
  {
    it: 'never brings what is in a cookie into the answer',
    ...{ signedIn: 'cookie', ask: 'refresh', send: { mode: 'json' }, lacks: 'refresh_token' },
    holds: [REFRESH],
  },
  {
    it: 'by session cookie',
    ...{ signedIn: 'session', ask: 'refresh', send: { mode: 'session' } },
    ...{ gives: ['expires'], holds: [SESSION] },
  },
  {
    it: 'by session cookie without a mode',
    ...{ signedIn: 'session', ask: 'refresh', send: {}, gives: ['expires'], holds: [SESSION] },
  },
  {
    it: 'never makes an access token of a session cookie',
    ...{ signedIn: 'session', ask: 'refresh', send: { mode: 'cookie' }, lacks: 'refresh_token' },
    holds: [SESSION],
  },
  {
    it: 'never makes tokens of a session cookie',
    ...{ signedIn: 'session', ask: 'refresh', send: { mode: 'json' }, lacks: 'refresh_token' },
    holds: [SESSION],
  },
  ...(['refresh', 'logout'] as const).flatMap((ask): AuthScenario[] =>
    [{}, { mode: 'json' }, { mode: 'cookie' }, { mode: 'session' }].map((send) => ({
      it: `of nothing (${JSON.stringify(send)}) says what is missing`,
      ...{ ask, send: send as AuthScenario['send'], lacks: 'refresh_token' },
    })),
  ),
  {
    it: 'by token ends the session',
    ...{ signedIn: 'json', ask: 'logout', send: { refresh_token: '<token>', mode: 'json' } },
  },
  { it: 'by cookie deletes it', signedIn: 'cookie', ask: 'logout', send: { mode: 'cookie' } },
  { it: 'by cookie needs no mode', signedIn: 'cookie', ask: 'logout', send: {} },
  {
    it: 'by session cookie deletes it',
    signedIn: 'session',
    ask: 'logout',
    send: { mode: 'session' },
  },
  { it: 'by session cookie needs no mode', signedIn: 'session', ask: 'logout', send: {} },
];
