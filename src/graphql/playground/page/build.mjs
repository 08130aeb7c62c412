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
    session: own('session.js'),
    storage: own('storage.js'),
    start: own('start.js'),
    icon: own('icon.svg'),
  },
  title: 'Doorward: GraphQL',
  icon: 'icon',
  styles: ['graphiql-style', 'style'],
  // The service puts in what depends on the endpoint and on the answer.
  body: '<div id="playground" {{data}}></div>',
  scripts: ['react', 'react-dom', 'graphiql', 'session', 'storage', 'start'],
  licences: [
    ['react', ['LICENSE']],
    ['react-dom', ['LICENSE']],
    ['graphiql', ['LICENSE']],
  ],
});
