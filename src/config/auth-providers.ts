import type { EnvReader } from './env-reader';

const MODES = ['session', 'cookie'] as const;
const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const CLAIM = /^[\w:./-]{1,200}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_PROVIDERS = 20;
const SCOPE = 'openid profile email';
/** The provider of users who sign in by password; other users have the name of theirs. */
const DEFAULT = 'default';

/** An external sign-in provider, by OpenID Connect. */
export interface AuthProviderConfig {
  /** Lower case; part of its sign-in URLs, and stored with its users. */
  readonly name: string;
  /** The URL of the issuer, or of its discovery document. */
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly label: string;
  readonly icon: string | null;
  /** The claim that identifies its users. */
  readonly identifierKey: string;
  /** Whether a first sign-in of somebody unknown creates a user. */
  readonly allowPublicRegistration: boolean;
  readonly requireVerifiedEmail: boolean;
  /** The role of users that are created this way. */
  readonly defaultRoleId: string | null;
  readonly mode: (typeof MODES)[number];
  /** URLs to which a sign-in may redirect, beside the service's own. */
  readonly redirectAllowList: readonly string[];
  /** Whether its sign-ins count as two-factor sign-ins. */
  readonly satisfiesTfa: boolean;
}

/** The endings of the variables of a provider. */
export const PROVIDER_SETTINGS = [
  'ISSUER_URL',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'SCOPE',
  'LABEL',
  'ICON',
  'IDENTIFIER_KEY',
  'ALLOW_PUBLIC_REGISTRATION',
  'REQUIRE_VERIFIED_EMAIL',
  'DEFAULT_ROLE_ID',
  'MODE',
  'REDIRECT_ALLOW_LIST',
  'SATISFIES_TFA',
] as const;

type ProviderSetting = (typeof PROVIDER_SETTINGS)[number];

/** `AUTH_PROVIDERS=acme`, and `AUTH_ACME_…` for each. */
export function readAuthProviders(env: EnvReader, production: boolean): AuthProviderConfig[] {
  const names = env.list('AUTH_PROVIDERS').map((name) => name.toLowerCase());
  const usable = [...new Set(names)].filter(isUsable).slice(0, MAX_PROVIDERS);
  if (usable.length < names.length) {
    env.fault(
      'AUTH_PROVIDERS',
      `must list up to ${MAX_PROVIDERS} different names of letters, digits and _, none of them ${DEFAULT}`,
    );
  }
  return usable.map((name) => readProvider(env, name, production));
}

const isUsable = (name: string): boolean => NAME.test(name) && name !== DEFAULT;

function readProvider(env: EnvReader, name: string, production: boolean): AuthProviderConfig {
  const variable = (suffix: ProviderSetting): string => `AUTH_${name.toUpperCase()}_${suffix}`;
  const required = (suffix: ProviderSetting): string => {
    const value = env.text(variable(suffix));
    if (value === undefined) env.fault(variable(suffix), `is required: AUTH_PROVIDERS has ${name}`);
    return value ?? '';
  };
  return {
    name,
    issuerUrl: readIssuer(env, variable('ISSUER_URL'), production, required('ISSUER_URL')),
    clientId: required('CLIENT_ID'),
    clientSecret: required('CLIENT_SECRET'),
    scope: readScope(env, variable('SCOPE')),
    label: env.text(variable('LABEL')) ?? name,
    icon: env.text(variable('ICON')) ?? null,
    identifierKey:
      readMatching(env, variable('IDENTIFIER_KEY'), CLAIM, 'the name of a claim') ?? 'sub',
    allowPublicRegistration: env.flag(variable('ALLOW_PUBLIC_REGISTRATION'), false),
    requireVerifiedEmail: env.flag(variable('REQUIRE_VERIFIED_EMAIL'), true),
    defaultRoleId: readMatching(env, variable('DEFAULT_ROLE_ID'), UUID, 'the id of a role') ?? null,
    mode: env.oneOf(variable('MODE'), MODES, 'session'),
    redirectAllowList: readUrls(env, variable('REDIRECT_ALLOW_LIST')),
    satisfiesTfa: env.flag(variable('SATISFIES_TFA'), true),
  };
}

/** Without TLS, anybody between the service and the provider could sign in as any user. */
function readIssuer(env: EnvReader, name: string, production: boolean, given: string): string {
  if (given === '') return given;
  env.url(name, production ? ['https:'] : ['https:', 'http:']);
  return given;
}

function readScope(env: EnvReader, name: string): string {
  const scope = env.text(name) ?? SCOPE;
  if (!scope.split(/\s+/).includes('openid')) env.fault(name, 'must contain openid');
  return scope;
}

function readMatching(
  env: EnvReader,
  name: string,
  pattern: RegExp,
  what: string,
): string | undefined {
  const value = env.text(name);
  if (value === undefined || pattern.test(value)) return value;
  env.fault(name, `must be ${what}`);
  return undefined;
}

function readUrls(env: EnvReader, name: string): string[] {
  const urls = env.list(name);
  const isUrl = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);
  if (!urls.every(isUrl))
    env.fault(name, 'must be a list of URLs that begin with https:// or http://');
  return urls;
}
