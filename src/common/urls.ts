/** A full URL; browsers also accept `https:example.com` and `https:///example.com`, other programs do not. */
const IN_FULL = /^https?:\/\/[^/?#]/i;
/** Characters that browsers, servers and mail programs interpret differently: `\`, white space, control characters. */
const AMBIGUOUS = /[\\\s\p{Cc}]/u;
/**
 * An encoded dot, slash, backslash or percent sign: a program that decodes it once more may end up in another folder.
 */
const HIDDEN_STEP = /%(?:2e|2f|5c|25)/i;
/** The length in a mail, where a non-ASCII letter takes six to twelve characters. */
const MAX_LENGTH = 2_048;
/** `..;x` is a parent folder to servers that support path parameters. */
const STEP_UP = /\/\.\.(?:;|\/|$)/;

/**
 * Whether a URL may be put into a mail: http or https, with the origin of an entry, and its path equal to the entry's
 * or below. Both are compared after parsing. An empty list allows nothing.
 */
export function isAllowedUrl(url: string, allowList: readonly string[]): boolean {
  const parsed = parsedUrl(url);
  if (!parsed) return false;
  return allowList.some((entry) => {
    const allowed = parsedUrl(entry);
    return allowed?.origin === parsed.origin && isBelow(parsed.pathname, allowed.pathname);
  });
}

/** The parsed URL, with `token` as the only parameter of this name in its query. */
export function withToken(url: string, token: string): string {
  const link = new URL(url);
  // Only if necessary: rewriting a query may change its spelling.
  if (link.searchParams.has('token')) link.searchParams.delete('token');
  const query = link.search === '' ? '?' : `${link.search}&`;
  link.search = `${query}token=${encodeURIComponent(token)}`;
  return link.href;
}

function parsedUrl(text: string): URL | undefined {
  if (!IN_FULL.test(text) || AMBIGUOUS.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '' && url.href.length <= MAX_LENGTH;
  return isPlain && !HIDDEN_STEP.test(url.pathname) && !STEP_UP.test(url.pathname)
    ? url
    : undefined;
}

function isBelow(path: string, folder: string): boolean {
  const base = folder.replace(/\/+$/, '');
  return path === base || path.startsWith(`${base}/`);
}
