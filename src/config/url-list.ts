import type { EnvReader } from './env-reader';

/** Addresses that links may lead to. Origin and path are compared, so an entry has nothing else. */
export function readUrlList(env: EnvReader, name: string): string[] {
  const urls = env.list(name);
  if (!urls.every(isEntry)) {
    env.fault(
      name,
      'must be a list of URLs such as https://app.example.com/reset, without a query or a fragment',
    );
  }
  return urls;
}

function isEntry(text: string): boolean {
  if (!/^https?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '') && !/[\\\s]/.test(text);
}
