import { as, type Reply } from './clients';
import { asRestReply } from './rest-status';
import type { TestApp } from './start-test-app';

/** Signs in like a program, over REST or GraphQL; the address in the header counts only if a proxy is trusted. */
export interface SignInTransport {
  readonly name: string;
  guess(app: Pick<TestApp, 'url'>, email: string, password: string, from?: string): Promise<Reply>;
}

const MUTATION = `mutation ($email: String!, $password: String!) {
  auth_login(email: $email, password: $password) { access_token }
}`;

const headersFrom = (from?: string): Record<string, string> =>
  from === undefined ? {} : { 'x-forwarded-for': from };

export const SIGN_IN_TRANSPORTS: readonly SignInTransport[] = [
  {
    name: 'REST',
    guess: (app, email, password, from) =>
      as(app).send('POST', '/auth/login', { email, password }, headersFrom(from)),
  },
  {
    name: 'GraphQL',
    guess: async (app, email, password, from) => {
      const body = { query: MUTATION, variables: { email, password } };
      return asRestReply(await as(app).send('POST', '/graphql/system', body, headersFrom(from)));
    },
  },
];
