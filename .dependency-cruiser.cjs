/*
 * Who may import what. The folders under src/ are layers; a feature is any folder that is not named here. `testing` is
 * above all of them: the kit for tests of whole applications. So is `commands`: what is done from a shell, with the whole
 * application.
 */

const layers = ['engine', 'config', 'common', 'database', 'repository', 'collections', 'graphql'];
/** Features that stand on one another, the lowest first: each may import those before it, by their index.ts. */
const features = [
  ['secrets'],
  ['queue'],
  ['roles'],
  ['settings'],
  ['activity'],
  ['users', 'throttle', 'server', 'admin'],
  ['comments'],
  ['mail', 'one-time-tokens'],
  ['policies'],
  ['permissions'],
  ['rules'],
  ['privileges'],
  ['auth', 'first-start'],
  ['registration', 'access-files', 'migration-tools', 'openapi', 'sdk-types'],
  ['guest'],
];
const feature = `^src/(?!(?:${[...layers, 'commands', 'testing'].join('|')})/)([^/]+)/`;

/** Whatever is of ours, of the layer itself or of those named, is allowed; everything else of ours is not. */
const only = (layer, allowed) => ({
  name: `${layer}-imports`,
  comment: `src/${layer} imports only: ${allowed.join(', ') || 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^src/${layer}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: '^(src|test)', pathNot: `^src/(${[layer, ...allowed].join('|')})/` },
});

module.exports = {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphan',
      severity: 'error',
      from: {
        orphan: true,
        path: '^src/',
        pathNot: ['\\.spec\\.ts$', '\\.d\\.ts$', '/page/[^/]+\\.js$'],
      },
      to: {},
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: { path: '^(src|test|extensions)' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependency',
      comment:
        'The console is bundled: what it needs is there when it is built, and not afterwards.',
      severity: 'error',
      from: { path: '^(src|extensions)/', pathNot: ['\\.(spec|test)\\.ts$', '^src/console/'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'], dependencyTypesNot: ['type-only'] },
    },

    only('engine', []),
    {
      name: 'engine-is-pure',
      comment: 'The engine knows no framework, no database, no clock and no file.',
      severity: 'error',
      from: { path: '^src/engine/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: 'node_modules/(@nestjs|typeorm|pg|express|@electric-sql|reflect-metadata)/|^(node:)?(fs|net|http|https|child_process|process)$',
      },
    },
    only('config', []),
    only('common', ['engine', 'config']),
    {
      name: 'common-takes-types-of-the-engine',
      severity: 'error',
      from: { path: '^src/common/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/engine/', dependencyTypesNot: ['type-only'] },
    },
    only('database', ['common', 'config']),
    only('repository', ['engine', 'common', 'config', 'database']),
    {
      name: 'repository-knows-no-nest',
      comment: 'Errors come from the catalogue, the logger is handed in.',
      severity: 'error',
      from: { path: '^src/repository/', pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/@nestjs/' },
    },
    only('collections', ['engine', 'common', 'config', 'database', 'repository']),
    only('graphql', ['engine', 'common', 'config', 'database', 'repository', 'collections']),

    {
      name: 'feature-imports',
      comment:
        'A feature imports common, config and the index.ts of a layer or of another feature.',
      severity: 'error',
      from: { path: feature, pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^(src|test)',
        pathNot: ['^src/(common|config)/', '^src/$1/', '^src/[^/]+/index\\.ts$'],
      },
    },
    ...features.map((names, at) => ({
      name: `${names.join('-')}-imports`,
      comment: 'Features stand on one another in one direction.',
      severity: 'error',
      from: { path: `^src/(${names.join('|')})/`, pathNot: '\\.spec\\.ts$' },
      to: {
        path: `^src/(${features.flat().join('|')})/`,
        pathNot: `^src/(${[...features.slice(0, at).flat(), ...names].join('|')})/`,
      },
    })),
    only('console', []),
    {
      name: 'console-is-apart',
      comment: 'What runs in the browser is bundled by itself, and meets the rest over HTTP alone.',
      severity: 'error',
      from: { path: '^(src|test)', pathNot: '^src/console/' },
      to: { path: '^src/console/' },
    },
    {
      name: 'commands-is-above',
      comment: 'Commands may know everything, and only the entries in src/ know them.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/commands/' },
      to: { path: '^src/commands/' },
    },
    {
      name: 'testing-is-above',
      comment: 'What is for tests may know everything, and nothing that serves knows it.',
      severity: 'error',
      from: { path: '^src', pathNot: '^src/testing/' },
      to: { path: '^src/testing/' },
    },
    {
      name: 'nothing-knows-extensions',
      comment: 'What a team adds, it takes away by deleting the folder.',
      severity: 'error',
      from: { path: '^(src|test)/' },
      to: { path: '^extensions/' },
    },
    {
      name: 'extensions-import-doorward',
      comment:
        'An extension imports `doorward`, in its tests `doorward/testing`, and the index.ts of another extension.',
      severity: 'error',
      from: { path: '^extensions/([^/]+)/' },
      to: {
        path: '^(src|test|extensions)/',
        pathNot: [
          '^src/(kit|testing/index)\\.ts$',
          '^extensions/$1/',
          '^extensions/[^/]+/index\\.ts$',
        ],
      },
    },
    {
      name: 'extensions-serve-without-the-testing-kit',
      severity: 'error',
      from: { path: '^extensions/', pathNot: '\\.(spec|test)\\.ts$' },
      to: { path: '^src/testing/' },
    },
    {
      name: 'edges-are-thin',
      comment: 'Controllers and resolvers see their service and inputs, never a repository.',
      severity: 'error',
      from: { path: '^src/.+\\.(controller|resolver)\\.ts$' },
      to: { path: '(^src/database/|node_modules/(typeorm|pg)/)' },
    },
    {
      name: 'edges-hold-no-repository',
      comment: 'What a query looks like they may know: the types, and nothing that runs.',
      severity: 'error',
      from: { path: '^src/.+\\.(controller|resolver)\\.ts$' },
      to: { path: '^src/repository/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '(^test/|\\.spec\\.ts$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['doorward-source', 'require', 'node', 'default', 'types'],
    },
  },
};
