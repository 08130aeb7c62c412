import { HttpStatus } from '@nestjs/common';
import { type Answer, pageOf, ProviderUnreachable } from './bounded-fetch';
import { isRecord } from '../../common/is-object';

export type Json = Readonly<Record<string, unknown>>;

/** The object in an answer; undefined if it is anything else. */
export const jsonOf = ({ bytes }: Answer): Json | undefined => parseObject(bytes.toString());

export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The library reports what an answer lacks only in texts that may hold secrets. A signed answer is left to the library.
 * @param parts what the answer must contain
 * @throws ProviderUnreachable that says what is wrong
 */
export function checkAnswer(answer: Answer, parts: readonly string[]): void {
  const { url, status, headers } = answer;
  if (status !== Number(HttpStatus.OK)) {
    throw new ProviderUnreachable(`${pageOf(url)} answered ${status}`);
  }
  if (headers.get('content-type')?.startsWith('application/jwt')) return;
  const body = jsonOf(answer);
  if (!body) throw new ProviderUnreachable(`${pageOf(url)} did not answer with a JSON object`);
  const missing = parts.filter((part) => isBlank(body[part]));
  if (missing.length === 0) return;
  throw new ProviderUnreachable(`the answer of ${pageOf(url)} lacks ${missing.join(', ')}`);
}

/** A refusal of our client, or of its access token: the library reads the reason. */
export const isChallenge = ({ headers }: Answer): boolean => headers.has('www-authenticate');

/** A refusal that states its reason: the library reads it. */
export const isRefusal = (answer: Answer): boolean =>
  isChallenge(answer) ||
  (answer.status !== Number(HttpStatus.OK) && typeof jsonOf(answer)?.['error'] === 'string');

const isBlank = (part: unknown): boolean => part === undefined || part === null || part === '';
