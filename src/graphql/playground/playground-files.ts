import { dirname, join } from 'node:path';

const folderOf = (name: string): string => dirname(require.resolve(`${name}/package.json`));

const SCRIPT = 'text/javascript; charset=utf-8';

/** Everything that the page loads, served from here: nothing comes from another host. */
export const PLAYGROUND_FILES: ReadonlyMap<
  string,
  { readonly path: string; readonly type: string }
> = new Map([
  ['react.js', { path: join(folderOf('react'), 'umd/react.production.min.js'), type: SCRIPT }],
  [
    'react-dom.js',
    { path: join(folderOf('react-dom'), 'umd/react-dom.production.min.js'), type: SCRIPT },
  ],
  ['graphiql.js', { path: join(folderOf('graphiql'), 'graphiql.min.js'), type: SCRIPT }],
  [
    'graphiql.css',
    { path: join(folderOf('graphiql'), 'graphiql.min.css'), type: 'text/css; charset=utf-8' },
  ],
]);

/** What starts the editor on the page's endpoint. */
export const START_SCRIPT = `
const root = document.getElementById('playground');
const fetcher = GraphiQL.createFetcher({ url: root.dataset.endpoint });
ReactDOM.createRoot(root).render(React.createElement(GraphiQL, { fetcher }));
`;

/** As a header: of a page's own `meta` browsers do not heed `frame-ancestors`. */
export const EDITOR_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
].join('; ');

/** @param endpoint the path that the editor speaks to */
export const playgroundPage = (endpoint: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${endpoint}</title>
    <link rel="stylesheet" href="/playground/graphiql.css" />
  </head>
  <body style="margin: 0">
    <div id="playground" style="height: 100vh" data-endpoint="${endpoint}"></div>
    <script src="/playground/react.js"></script>
    <script src="/playground/react-dom.js"></script>
    <script src="/playground/graphiql.js"></script>
    <script src="/playground/start.js"></script>
  </body>
</html>
`;
