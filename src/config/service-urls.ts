import type { EnvReader } from './env-reader';

/** Only an origin and a path: links and comparisons with browsers' origins use nothing else. */
export function readPublicUrl(env: EnvReader, name: string): string | undefined {
  const url = env.url(name, ['http:', 'https:']);
  if (url === undefined) return undefined;
  const { username, password } = new URL(url);
  if (username === '' && password === '' && !/[?#]/.test(url)) return url;
  env.fault(name, 'must be a URL without a user, a query and a fragment');
  return undefined;
}

export function readSmtpUrl(env: EnvReader, name: string): string | undefined {
  const url = env.url(name, ['smtp:', 'smtps:']);
  if (url === undefined || new URL(url).hostname !== '') return url;
  env.fault(name, 'must name the host of a mail server');
  return undefined;
}
