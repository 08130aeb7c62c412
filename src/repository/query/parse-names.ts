import { malformed } from '../../engine';

/** Names as a comma-separated string or a list of such strings. */
export function parseNames(raw: unknown, path: readonly string[]): string[] | undefined {
  if (raw === undefined || raw === null) return undefined;
  const parts: unknown[] = Array.isArray(raw) ? raw : [raw];
  return parts.flatMap((part) => {
    if (typeof part !== 'string') throw malformed(path, 'must be names, separated by commas');
    return part
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  });
}
