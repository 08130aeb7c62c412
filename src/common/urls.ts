/** A URL in full; browsers also take `https:example.com` and `https:///example.com` for one, others do not. */
const IN_FULL = /^https?:\/\/[^/?#]/i;
/** What browsers, servers and mail programs read in different ways: `\`, white space, control characters. */
const AMBIGUOUS = /[\\\s\p{Cc}]/u;
/** An encoded dot, slash, backslash or percent sign: whoever decodes it once more may end up in another folder. */
const HIDDEN_STEP = /%(?:2e|2f|5c|25)/i;
/** As it stands in a mail: a letter beyond ASCII takes six to twelve characters there. */
const MAX_LENGTH = 2_048;
/** `..;x` is a step up to servers that know parameters in a path. */
const STEP_UP = /\/\.\.(?:;|\/|$)/;

/**
 * Whether a URL may be put into a mail: http or https, of the same origin as an entry, its path equal to the entry's or
 * below. Both are compared as parsed. An empty list allows nothing.
 */
export function isAllowedUrl(url: string, allowList: readonly string[]): boolean {
  const parsed = parsedUrl(url);
  if (!parsed) return false;
  return allowList.some((entry) => {
    const allowed = parsedUrl(entry);
    return allowed?.origin === parsed.origin && isBelow(parsed.pathname, allowed.pathname);
  });
}

/** The URL as it is parsed, with `token` as the only parameter of this name in its query. */
export function withToken(url: string, token: string): string {
  const link = new URL(url);
  // Only if it has to be: a query that is written anew may be spelled in another way.
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
