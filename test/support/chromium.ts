import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** The first takes a quarter of the time, since it does not draw a window around each page. */
const EXECUTABLE = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));
const MISSING =
  'There is no Chromium: the pages were NOT tested (apt-get install chromium-headless-shell).';

/**
 * `describe` for tests that need a browser. Without one it reports that and skips them; on CI that is a failure.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  if (EXECUTABLE !== undefined) return describe(name, tests);
  if (process.env['CI'] !== undefined) {
    return it(name, () => {
      throw new Error(MISSING);
    });
  }
  console.warn(MISSING);
  describe.skip(name, tests);
}

/** Debian's Chromium, which can connect only to this machine. */
export function launchBrowser(): Promise<Browser> {
  if (EXECUTABLE === undefined) throw new Error(MISSING);
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      // Chromium has no sandbox for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      // A container's /dev/shm is small.
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

/** A page of a new browser, and everything it did that it should not have done. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Violations of the page's policy, errors of scripts, requests to other hosts. Unless it is empty, the test fails.
   */
  readonly faults: readonly string[];
  /** The addresses of all requests so far. */
  readonly addresses: readonly string[];
}

type ContextOptions = Parameters<Browser['newContext']>[0];

/** @param urls the origin of the pages, and other allowed origins */
export async function visit(
  browser: Browser,
  urls: readonly string[],
  options: ContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    ...(urls[0] !== undefined && { baseURL: urls[0] }),
    ...options,
  });
  const page = await context.newPage();
  const origins = new Set(urls.map((url) => new URL(url).origin));
  const faults: string[] = [];
  const addresses: string[] = [];
  await page.exposeFunction('reportFault', (fault: string) => void faults.push(fault));
  await page.addInitScript(REPORT_VIOLATIONS);
  page.on('pageerror', ({ message }) => void faults.push(message));
  page.on('request', (request) => {
    addresses.push(request.url());
    if (!origins.has(new URL(request.url()).origin)) faults.push(request.url());
  });
  return { page, context, faults, addresses };
}

const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  window.reportFault('policy: ' + event.effectiveDirective + ' ' + event.blockedURI));`;
