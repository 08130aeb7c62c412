/* Puts what the page of documents loads to `dist/docs`. */
import { join } from 'node:path';
import { buildPage, folderOf } from '../../common/http/build-page.mjs';

const folder = folderOf('swagger-ui-dist');

buildPage({
  name: 'docs',
  files: {
    script: join(folder, 'swagger-ui-bundle.js'),
    style: join(folder, 'swagger-ui.css'),
    icon: join(folder, 'favicon-32x32.png'),
    start: join(import.meta.dirname, 'start.js'),
  },
  document: (address) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Doorward: REST</title>
    <link rel="icon" href="${address('icon')}" />
    <link rel="stylesheet" href="${address('style')}" />
  </head>
  <body>
    <div id="docs"></div>
    <script src="${address('script')}"></script>
    <script src="${address('start')}"></script>
  </body>
</html>
`,
  licences: [['swagger-ui-dist', ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']]],
});
