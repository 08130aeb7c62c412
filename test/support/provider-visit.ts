import { Browser } from './browser';
import { FakeProvider, PROVIDER_CLIENT } from './fake-provider';
import type { TestApp } from './start-test-app';

export const PUBLIC_URL = 'https://doorward.example';

/** The environment variables for a provider; `more` replaces them. */
export function providerEnv(
  provider: FakeProvider,
  more: Readonly<Record<string, string>> = {},
  name = 'acme',
): Record<string, string> {
  const own = {
    ISSUER_URL: provider.issuer,
    CLIENT_ID: PROVIDER_CLIENT.id,
    CLIENT_SECRET: PROVIDER_CLIENT.secret,
    ...more,
  };
  return Object.fromEntries(
    Object.entries(own).map(([key, value]) => [`AUTH_${name.toUpperCase()}_${key}`, value]),
  );
}

/** The answer to a request: its status, and where it redirects the browser. */
export interface Step {
  readonly status: number;
  /** The full address; empty without a redirect. */
  readonly location: string;
  readonly codes: readonly string[];
}

/** A browser that signs in by a provider, step by step. */
export class ProviderVisit {
  readonly browser: Browser;

  constructor(
    private readonly app: TestApp,
    readonly name = 'acme',
  ) {
    this.browser = new Browser(app);
  }

  /** Begins a sign-in; the answer redirects to the provider. */
  authorize(redirect?: string): Promise<Step> {
    const query = redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`;
    return this.go(`${PUBLIC_URL}/auth/login/${this.name}${query}`);
  }

  /** The provider asks for no consent, and uses no cookies. */
  async consent(address: string): Promise<string> {
    const response = await fetch(address, { redirect: 'manual' });
    await response.text();
    return response.headers.get('location') ?? '';
  }

  /** All steps of a sign-in. */
  async signIn(redirect?: string): Promise<Step> {
    const authorized = await this.authorize(redirect);
    return this.go(await this.consent(authorized.location));
  }

  /** Follows an address of ours, with the host that browsers use. */
  async go(address: string): Promise<Step> {
    const path = address.replace(PUBLIC_URL, this.app.url);
    const response = await this.browser.fetch(path, { redirect: 'manual' });
    const text = await response.text();
    const codes = [...text.matchAll(/"code":"(\w+)"/g)].map(([, code = '']) => code);
    return { status: response.status, location: response.headers.get('location') ?? '', codes };
  }

  /** @returns `/users/me` of the user who is signed in; undefined if nobody is */
  async me(): Promise<Record<string, unknown> | undefined> {
    const reply = await this.browser.send('GET', '/users/me?fields=*');
    return reply.status === 200 ? reply.data : undefined;
  }
}
