/** No inline script or style, nothing from another host, and no framing. */
const PAGE_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data:",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
};

/**
 * The Content-Security-Policy of a page.
 * @param own directives of this page, which replace the common ones of the same name
 */
export const pagePolicy = (own: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...PAGE_POLICY, ...own })
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');

/** Every answer already has `Cache-Control: no-store`. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': pagePolicy(),
  // The address of a page may hold a token.
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

/** A file's name holds a hash of its content, so a cached file is never stale. */
export const ASSET_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
} as const;
