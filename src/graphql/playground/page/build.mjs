/* Puts what the editor's page loads to `dist/playground`: whoever installs the service needs nothing else of it. */
import { join } from 'node:path';
import { buildPage, folderOf } from '../../../common/http/build-page.mjs';

const own = (name) => join(import.meta.dirname, name);

buildPage({
  name: 'playground',
  files: {
    react: join(folderOf('react'), 'umd/react.production.min.js'),
    'react-dom': join(folderOf('react-dom'), 'umd/react-dom.production.min.js'),
    graphiql: join(folderOf('graphiql'), 'graphiql.min.js'),
    'graphiql-style': join(folderOf('graphiql'), 'graphiql.min.css'),
    style: own('style.css'),
    storage: own('storage.js'),
    start: own('start.js'),
    icon: own('icon.svg'),
  },
  // The service puts in what depends on the endpoint and on the answer.
  document: (address) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Doorward: GraphQL</title>
    <link rel="icon" href="${address('icon')}" />
    <link rel="stylesheet" href="${address('graphiql-style')}" />
    <link rel="stylesheet" href="${address('style')}" />
  </head>
  <body>
    <div id="playground" {{data}}></div>
    <script src="${address('react')}"></script>
    <script src="${address('react-dom')}"></script>
    <script src="${address('graphiql')}"></script>
    <script src="${address('storage')}"></script>
    <script src="${address('start')}"></script>
  </body>
</html>
`,
  licences: [
    ['react', ['LICENSE']],
    ['react-dom', ['LICENSE']],
    ['graphiql', ['LICENSE']],
  ],
});
