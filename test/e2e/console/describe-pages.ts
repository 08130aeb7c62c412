import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser, visit, type Visit } from '../../support/chromium';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support';

type VisitOptions = Parameters<typeof visit>[2];

interface Place {
  /** The address at which the service is reached, if not directly. */
  readonly url?: string;
  /** Other origins that belong to it. */
  readonly others?: readonly string[];
}

/** What the tests of a `describePages` share. */
export interface Pages {
  /** The service that serves the pages. */
  readonly test: TestApp;
  /** A new browser profile. */
  visit(options?: VisitOptions, place?: Place): Promise<Visit>;
}

/**
 * Tests in a browser, on a service of their own. After each, no page may have broken its policy, thrown, or asked
 * another host.
 * @param options of the service; called when it is started
 */
export function describePages(
  name: string,
  tests: (pages: Pages) => void,
  options: () => Promise<TestAppOptions> = () => Promise.resolve({}),
): void {
  describeInBrowser(name, () => {
    let test: TestApp;
    let browser: Browser;
    const visits: Visit[] = [];
    beforeAll(async () => {
      browser = await launchBrowser();
      test = await startTestApp(await options());
    });
    afterEach(async () => {
      for (const { context, faults } of visits.splice(0)) {
        await context.close();
        expect(faults).toEqual([]);
      }
    });
    afterAll(async () => {
      await browser.close();
      await test.close();
    });
    tests({
      get test() {
        return test;
      },
      visit: async (visitOptions, { url = test.url, others = [] } = {}) => {
        const made = await visit(browser, [url, ...others], visitOptions);
        visits.push(made);
        return made;
      },
    });
  });
}

/** Gives the page this answer instead of the service's, for cases that are hard to bring about. */
export async function answer(
  { page }: Pick<Visit, 'page'>,
  path: string,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<void> {
  await page.route(`**${path}`, (route) =>
    route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify(body) }),
  );
}

/** An error in the format of the service. */
export const failure = (code: string, extensions: object = {}): unknown => ({
  errors: [{ message: `${code}, said by the service.`, extensions: { ...extensions, code } }],
});
