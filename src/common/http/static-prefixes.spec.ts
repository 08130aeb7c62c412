import express, { type Express } from 'express';
import { matchStaticPrefixes, type Layer } from './static-prefixes';

const PATTERNS = [
  '/',
  '/items/articles',
  '/Items/Tags/',
  '/items/articles/:id',
  '/items/:collection',
  '/files{/:name}',
  '/assets/*path',
  '/draft{s}/latest',
  '/reports',
  '/:page',
  String.raw`/odd\:path`,
];
const PATHS = [
  '/',
  '//',
  '/items/articles',
  '/items/articles/',
  '/items/articles//',
  '/ITEMS/Articles',
  '/items/article',
  '/items/articles/7',
  '/items/articles/7/',
  '/items/articles/7/8',
  '/items/tags',
  '/items/tags/',
  '/items/Tags/1',
  '/items/',
  '/items',
  '/items/art%69cles',
  '/files',
  '/files/',
  '/files/a',
  '/files/a/b',
  '/assets',
  '/assets/',
  '/assets/a/b.js',
  '/odd:path',
  '/odd:path/',
  '/odd',
  '/ODD:path',
  '/%',
  '/draft',
  '/draft/latest',
  '/DRAFTS/latest',
  '/reports',
  '/reports/',
  '/Reports',
  '/report',
  '//reports',
  '/reports//',
  '/r%65ports',
  '/reports/1',
];

const layersOf = (app: Express): Layer[] => app.router.stack as unknown as Layer[];

function appOf(patterns: readonly string[]): Express {
  const app = express();
  for (const pattern of patterns) app.get(pattern, () => undefined);
  return app;
}

/** The patterns that a path matches; an error if it cannot be decoded. */
const matchesOf = (app: Express, path: string): unknown[] =>
  layersOf(app).map((layer) => {
    try {
      return layer.match(path) !== false;
    } catch {
      return 'refused';
    }
  });

describe('A path that is requested before its route exists', () => {
  it('matches the route once it is compared', () => {
    const app = appOf(['/first']);
    matchStaticPrefixes(layersOf(app));
    expect(matchesOf(app, '/later-added')).toEqual([false]);
    app.get('/later-added', () => undefined);
    matchStaticPrefixes(layersOf(app).slice(1));
    expect(matchesOf(app, '/later-added')).toEqual([false, true]);
  });
});

describe('Routes that are distinguished by their static prefixes', () => {
  const usual = appOf(PATTERNS);
  const compared = appOf(PATTERNS);
  matchStaticPrefixes(layersOf(compared));

  it.each(PATHS)('match %s as Express matches them', (path) => {
    expect(matchesOf(compared, path)).toEqual(matchesOf(usual, path));
  });

  it('are all matched by some of these paths', () => {
    const matched = PATHS.map((path) => matchesOf(usual, path));
    for (const at of PATTERNS.keys()) expect(matched.some((each) => each[at] === true)).toBe(true);
  });
});
