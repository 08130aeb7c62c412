import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Claims = Readonly<Record<string, unknown>>;

/** A sign-in that a provider was asked to confirm. */
interface Grant {
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirect: string | null;
}

export const PROVIDER_CLIENT = {
  id: 'doorward',
  secret: 'a secret: 100% of the tests+more',
} as const;
const FIVE_MINUTES = 300;

/**
 * A provider of OpenID Connect in this process that can give any answer, even one that no honest provider would give.
 * By default it is honest: it checks client, code and verifier, and confirms `person`.
 */
export class FakeProvider {
  /** The user who signs in next, as claims of the ID token. */
  person: Claims = { sub: 'ann', email: 'ann@example.com', email_verified: true };
  /** The claims of the user info; undefined: those of `person`. */
  info: Claims | undefined;
  /** Changes the ID token before it is signed: its header, its claims, and the key. */
  forge: (token: IdToken) => IdToken = (token) => token;
  /** Replaces the honest answer. */
  fault: ((response: ServerResponse, path: string) => boolean) | undefined;
  checksVerifier = true;
  readonly asked: string[] = [];
  private readonly codes = new Map<string, Grant>();
  private readonly server = createServer(
    (request, response) => void this.answer(request, response),
  );
  private keys = newKeys('one');

  private constructor() {}

  static async start(): Promise<FakeProvider> {
    const provider = new FakeProvider();
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** From now on tokens are signed with another key, the only one that is listed. */
  replaceKeys(kid: string): void {
    this.keys = newKeys(kid);
  }

  /** Consent is given at once: the browser is sent back. */
  private authorize(query: URLSearchParams, response: ServerResponse): void {
    const code = `code-${this.codes.size}-${Math.random()}`;
    this.codes.set(code, {
      nonce: query.get('nonce'),
      challenge: query.get('code_challenge'),
      redirect: query.get('redirect_uri'),
    });
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    response.writeHead(302, { location: back.href }).end();
  }

  private token(request: IncomingMessage, body: URLSearchParams, response: ServerResponse): void {
    const { id, secret } = PROVIDER_CLIENT;
    const basic = Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64');
    if (request.headers.authorization !== `Basic ${basic}`) {
      return json(response, { error: 'invalid_client' }, 401);
    }
    const grant = this.codes.get(body.get('code') ?? '');
    this.codes.delete(body.get('code') ?? '');
    const challenge = createHash('sha256').update(body.get('code_verifier') ?? '');
    const proven = !this.checksVerifier || challenge.digest('base64url') === grant?.challenge;
    if (!grant || !proven || body.get('redirect_uri') !== grant.redirect) {
      return json(response, { error: 'invalid_grant' }, 400);
    }
    return json(response, {
      access_token: 'an-access-token',
      token_type: 'Bearer',
      id_token: this.idToken(grant),
    });
  }

  private idToken({ nonce }: Grant): string {
    const now = Math.floor(Date.now() / 1000);
    const { header, claims, key } = this.forge({
      header: { alg: 'RS256', kid: this.keys.kid },
      claims: {
        iss: this.issuer,
        aud: PROVIDER_CLIENT.id,
        iat: now,
        exp: now + FIVE_MINUTES,
        nonce,
        ...this.person,
      },
      key: this.keys.privateKey,
    });
    const parts = [header, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const signature =
      key === undefined ? Buffer.alloc(0) : sign('sha256', Buffer.from(parts.join('.')), key);
    return [...parts, signature.toString('base64url')].join('.');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.issuer);
    this.asked.push(pathname);
    if (this.fault?.(response, pathname) === true) return;
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return json(response, documentOf(this.issuer));
      case '/authorize':
        return this.authorize(searchParams, response);
      case '/token':
        return this.token(request, new URLSearchParams(await textOf(request)), response);
      case '/keys':
        return json(response, { keys: [publicKey(this.keys)] });
      case '/userinfo':
        return json(response, { ...this.person, ...this.info });
      default:
        response.writeHead(404).end();
    }
  }
}

export interface IdToken {
  readonly header: Claims;
  readonly claims: Claims;
  /** Undefined: the token is not signed. */
  readonly key: KeyObject | undefined;
}

const documentOf = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  userinfo_endpoint: `${issuer}/userinfo`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

const newKeys = (kid: string) => ({ kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });

const publicKey = ({ kid, publicKey: key }: ReturnType<typeof newKeys>): object => ({
  ...createPublicKey(key.export({ type: 'spki', format: 'pem' })).export({ format: 'jwk' }),
  kid,
  use: 'sig',
  alg: 'RS256',
});

/** The encoding of forms, which is also that of a client's secret in the header. */
const encoded = (text: string): string => new URLSearchParams({ text }).toString().slice(5);

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
