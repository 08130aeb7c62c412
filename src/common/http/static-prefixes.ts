/** An entry that Express's router tries in order; its types lack `match`. */
export interface Layer {
  readonly route?: { readonly path: unknown };
  match(path: string): unknown;
}

/** Where the static prefix of a pattern ends: at a parameter, an optional part or an escaped character. */
const FIRST_PARAMETER = /[:*{(?+\\]/;
const LAST_SLASHES = /\/+$/;

/** What every path that matches this pattern begins with, in lower case. */
export const staticPrefixOf = (pattern: string): string =>
  (pattern.split(FIRST_PARAMETER, 1)[0] ?? '').toLowerCase();

export const hasPrefix = (path: string, prefix: string): boolean =>
  lowered(path).startsWith(prefix);

/**
 * Express tests the regular expression of every route on every request, which with a hundred routes is half the cost of
 * a small one. Here a path that differs from the route's first segment, from its static prefix, or from a route
 * without parameters, is rejected by comparing a number or characters. What matches, and in which order, is unchanged.
 */
export function matchStaticPrefixes(layers: readonly Layer[]): void {
  for (const layer of layers) {
    const path = layer.route?.path;
    if (typeof path !== 'string' || layer.match === matchCompared) continue;
    const matchPattern = layer.match.bind(layer);
    const facts = { segment: segmentOf(path), mayMatch: comparisonFor(path), matchPattern };
    // One function for all of them: with one each, V8 could not inline it into the router's loop.
    Object.assign(layer, facts, { match: matchCompared });
  }
}

interface ComparedLayer extends Layer {
  readonly segment: number;
  mayMatch(path: string): boolean;
  matchPattern(path: string): unknown;
}

function matchCompared(this: ComparedLayer, path: string): unknown {
  if (path !== last) remember(path);
  if (this.segment !== lastSegment && this.segment !== ANY) return false;
  return this.mayMatch(path) && this.matchPattern(path);
}

function comparisonFor(pattern: string): (path: string) => boolean {
  const prefix = staticPrefixOf(pattern);
  const trimmed = prefix.replace(LAST_SLASHES, '');
  if (prefix.length < pattern.length || trimmed === '') return (path) => hasPrefix(path, prefix);
  const withSlash = `${trimmed}/`;
  return (path) => lowered(path) === trimmed || lowered(path) === withSlash;
}

/** First segments of patterns, numbered. */
const SEGMENTS = new Map<string, number>();
const ANY = 0;
const OTHER = -1;
const SEGMENT = /^\/([^/]+)/;

/** The number of the first segment of every path that matches this pattern; ANY where they differ. */
function segmentOf(pattern: string): number {
  const prefix = staticPrefixOf(pattern);
  const [start, segment] = SEGMENT.exec(prefix) ?? [];
  if (start === undefined || segment === undefined) return ANY;
  const isWhole = prefix.length > start.length || prefix.length === pattern.length;
  if (!isWhole) return ANY;
  const number = SEGMENTS.get(segment) ?? SEGMENTS.size + 1;
  SEGMENTS.set(segment, number);
  // What is remembered of the last path does not know the new number.
  remember('');
  return number;
}

let last = '';
let lastLowered = '';
let lastSegment = OTHER;

/** Routes ignore case. All of them are tested with the same path in a row. */
function lowered(path: string): string {
  if (path !== last) remember(path);
  return lastLowered;
}

function remember(path: string): void {
  last = path;
  lastLowered = path.toLowerCase();
  const end = lastLowered.indexOf('/', 1);
  lastSegment = SEGMENTS.get(lastLowered.slice(1, end < 0 ? undefined : end)) ?? OTHER;
}
