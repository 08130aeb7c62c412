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
  title: 'Doorward: REST',
  icon: 'icon',
  styles: ['style'],
  body: '<div id="docs"></div>',
  scripts: ['script', 'start'],
  licences: [['swagger-ui-dist', ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']]],
});
