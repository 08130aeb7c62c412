import { tagOf, tagsOf } from './tags';

describe('groups of routes', () => {
  it.each([
    ['/users/me', 'users'],
    ['/items/articles', 'articles'],
    ['/items/articles/{id}', 'articles'],
    ['/comments', 'comments'],
    ['/items/comments', 'items/comments'],
    ['/items/metrics/{id}', 'items/metrics'],
    ['/', ''],
  ])('puts %s into %j', (path, tag) => {
    expect(tagOf(path)).toBe(tag);
  });

  it("keeps a team's collection apart from the service's group of that name", () => {
    const tags = tagsOf(['/comments', '/items/comments', '/items/articles', '/auth/login']);
    expect(tags.map(({ name }) => name)).toEqual([
      'auth',
      'articles',
      'items/comments',
      'comments',
    ]);
    expect(tags.map(({ description }) => description !== undefined)).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});
