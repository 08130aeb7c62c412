import { createHash } from 'node:crypto';
import { PAGE_HEADERS, pagePolicy } from '../../common/http/page-headers';

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { margin: 10vh auto; max-width: 34rem; padding: 0 1rem; }
  li { margin: 0.75rem 0; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Its policy allows the style that the page contains, and nothing else. */
export const LANDING_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': pagePolicy({
    'script-src': "'none'",
    'style-src': `'sha256-${STYLE_HASH}'`,
    'connect-src': "'none'",
  }),
} as const;

interface Link {
  readonly path: string;
  readonly name: string;
  readonly about: string;
}

const PAGES: readonly Link[] = [
  { path: 'admin/login', name: 'Sign in', about: 'manage the users of this project' },
  { path: 'docs', name: 'REST', about: 'all routes, with a way to try them' },
];
const EDITORS: readonly Link[] = [
  {
    path: 'graphql/system',
    name: 'GraphQL: permissions, sign-in and users',
    about: 'the editor, with an example of each operation',
  },
  { path: 'graphql', name: 'GraphQL: your own collections', about: 'the same editor' },
];

/**
 * @param way the relative path from the page to the service's root: `./`
 * @param hasEditor whether the GraphQL editor is on
 */
export function landingPage(way: string, hasEditor: boolean): string {
  const links = [...PAGES, ...(hasEditor ? EDITORS : [])];
  const items = links.map(
    ({ path, name, about }) => `<li><a href="${way}${path}">${name}</a>: ${about}</li>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Doorward</title>
    <link rel="icon" href="data:," />
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>Doorward</h1>
      <p>Who may do what to which rows and which fields.</p>
      <ul>
        ${items.join('\n        ')}
      </ul>
    </main>
  </body>
</html>
`;
}
