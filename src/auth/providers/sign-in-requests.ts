import type { CustomFetch, ServerMetadata } from 'openid-client';
import { type Answer, boundedFetch, responseOf } from './bounded-fetch';
import { checkAnswer, isChallenge, isRefusal, jsonOf, parseObject } from './provider-answers';
import type { ProviderKeys } from './provider-keys';

/** The requests of one sign-in to its provider; that for the keys is answered from memory where possible. */
export function signInRequests(metadata: ServerMetadata, keys: ProviderKeys): CustomFetch {
  const [tokenUrl, userInfoUrl, keysUrl] = [
    metadata.token_endpoint,
    metadata.userinfo_endpoint,
    metadata.jwks_uri,
  ].map(normalForm);
  let key: unknown;
  return async (...request) => {
    const [url] = request;
    if (url === keysUrl) return responseOf(await keys.get(request, key));
    const answer = await boundedFetch(...request);
    if (url === tokenUrl && !isRefusal(answer)) {
      checkAnswer(answer, ['access_token', 'token_type', 'id_token']);
      key = keyNamedIn(answer);
    }
    if (url === userInfoUrl && !isChallenge(answer)) checkAnswer(answer, ['sub']);
    return responseOf(answer);
  };
}

/** That in which the library asks. */
const normalForm = (address = ''): string | undefined =>
  URL.canParse(address) ? new URL(address).href : undefined;

/** The id of the key that signed the ID token of an answer. */
function keyNamedIn(answer: Answer): unknown {
  const token = jsonOf(answer)?.['id_token'];
  if (typeof token !== 'string') return undefined;
  const [header = ''] = token.split('.', 1);
  return parseObject(Buffer.from(header, 'base64url').toString())?.['kid'];
}
