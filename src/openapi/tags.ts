import type { JsonSchema } from '../common/request/describe.decorator';

type Tags = Readonly<Record<string, string>>;

/** In the order in which a newcomer needs them; collections come between the two. */
const FIRST: Tags = {
  auth: 'Sign-in, refresh and sign-out, passwords, providers.',
  register: 'Registration.',
  users: 'Users, one’s own account, registration and invitation.',
  roles: 'Roles of users, which may have a parent role.',
  policies: 'Policies, which hold rules.',
  access: 'Which users and roles have which policy.',
  permissions: 'Rules: who may do what to which rows and fields.',
};
const LAST: Tags = {
  comments: 'Comments on items.',
  activity: 'The log of who did what.',
  settings: 'Settings of the project.',
  collections: 'Which collections the caller may see.',
  fields: 'Their fields.',
  relations: 'Their relations.',
  graphql: 'The same by GraphQL.',
  server: 'About the service, its state and its documents.',
  metrics: 'Figures for Prometheus.',
};

const isOurs = (name: string): boolean => Object.hasOwn(FIRST, name) || Object.hasOwn(LAST, name);

/**
 * The word by which a path is grouped: `users` for `/users/me`, `articles` for `/items/articles`; `items/comments` for
 * a team's collection with the name of one of the service's groups.
 */
export function tagOf(path: string): string {
  const [first = '', second] = path.split('/').filter((word) => word !== '');
  if (first !== 'items' || second === undefined) return first;
  return isOurs(second) ? `items/${second}` : second;
}

/** The groups in the order in which a page shows them: `[{ name: 'auth', description: 'Sign-in …' }, …]`. */
export function tagsOf(paths: readonly string[]): JsonSchema[] {
  const used = new Set(paths.map(tagOf));
  const own = [...used].filter((name) => !isOurs(name));
  return [
    ...describedOf(FIRST, used),
    ...own.toSorted().map((name) => ({ name })),
    ...describedOf(LAST, used),
  ];
}

const describedOf = (tags: Tags, used: ReadonlySet<string>): JsonSchema[] =>
  Object.entries(tags).flatMap(([name, description]) =>
    used.has(name) ? [{ name, description }] : [],
  );
