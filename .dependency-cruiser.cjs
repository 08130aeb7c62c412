/* Who may import what. The folders under src/ are layers; a feature is any folder that is not named here. */

const layers = ['access', 'config', 'common', 'database', 'rules', 'collections'];
const feature = `^src/(?!(?:${layers.join('|')})/)([^/]+)/`;

/** Whatever is of ours, of the layer itself or of those named, is allowed; everything else of ours is not. */
const only = (layer, allowed) => ({
  name: `${layer}-imports`,
  comment: `src/${layer} imports only: ${allowed.join(', ') || 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^src/${layer}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: '^(src|test|ormconfig)', pathNot: `^src/(${[layer, ...allowed].join('|')})/` },
});

module.exports = {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphan',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: ['\\.spec\\.ts$', '\\.d\\.ts$'] },
      to: {},
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: { path: '^(src|test)' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependency',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'], dependencyTypesNot: ['type-only'] },
    },

    only('access', []),
    {
      name: 'access-is-pure',
      comment: 'The engine knows no framework, no database, no clock and no file.',
      severity: 'error',
      from: { path: '^src/access/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: 'node_modules/(@nestjs|typeorm|pg|express|@electric-sql|reflect-metadata)/|^(node:)?(fs|net|http|https|child_process|process)$',
      },
    },
    only('config', []),
    only('common', ['access', 'config']),
    {
      name: 'common-takes-types-of-access',
      severity: 'error',
      from: { path: '^src/common/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/access/', dependencyTypesNot: ['type-only'] },
    },
    only('database', ['common', 'config']),
    only('rules', ['access', 'common', 'config', 'database']),
    only('collections', ['access', 'common', 'config', 'database', 'rules']),

    {
      name: 'feature-imports',
      comment: 'A feature imports collections, common, config and the index.ts of another feature.',
      severity: 'error',
      from: { path: feature, pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^(src|test|ormconfig)',
        pathNot: ['^src/(collections|common|config)/', '^src/$1/', '^src/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'not-layers-by-index',
      comment: 'The layers below collections are not open to features, by their index.ts either.',
      severity: 'error',
      from: { path: feature, pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/(access|database|rules)/' },
    },
    ...[
      ['users', 'registration|mail|auth'],
      ['mail', 'users|auth|registration'],
    ].map(([from, to]) => ({
      name: `${from}-stands-alone`,
      severity: 'error',
      from: { path: `^src/${from}/` },
      to: { path: `^src/(${to})/` },
    })),
    {
      name: 'edges-are-thin',
      comment: 'Controllers and resolvers see their service and inputs, never a repository.',
      severity: 'error',
      from: { path: '^src/.+\\.(controller|resolver)\\.ts$' },
      to: { path: '(\\.repository\\.ts$|^src/database/|node_modules/(typeorm|pg)/)' },
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
