import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../common/package-folder';

const FOLDER = join(packageFolder(), 'dist/playground');
const SCRIPT = 'text/javascript; charset=utf-8';

const file = (name: string, type: string): [string, PlaygroundFile] => [
  name,
  { path: join(FOLDER, name), type },
];

interface PlaygroundFile {
  readonly path: string;
  readonly type: string;
}

/** Everything that the page loads, as far as `build.mjs` left it, served from here: nothing comes from another host. */
export const PLAYGROUND_FILES: ReadonlyMap<string, PlaygroundFile> = new Map(
  [
    file('react.js', SCRIPT),
    file('react-dom.js', SCRIPT),
    file('graphiql.js', SCRIPT),
    file('graphiql.css', 'text/css; charset=utf-8'),
  ].filter(([, { path }]) => existsSync(path)),
);

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

/**
 * @param endpoint the path that the editor speaks to
 * @param prefix of this and of all paths
 */
export const playgroundPage = (endpoint: string, prefix: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${endpoint}</title>
    <link rel="stylesheet" href="${prefix}/playground/graphiql.css" />
  </head>
  <body style="margin: 0">
    <div id="playground" style="height: 100vh" data-endpoint="${prefix}${endpoint}"></div>
    <script src="${prefix}/playground/react.js"></script>
    <script src="${prefix}/playground/react-dom.js"></script>
    <script src="${prefix}/playground/graphiql.js"></script>
    <script src="${prefix}/playground/start.js"></script>
  </body>
</html>
`;
