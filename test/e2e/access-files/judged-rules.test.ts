import { readDocument } from '../../docs/documents';
import { AccessFilesService } from '../../../src/access-files';
import { startTestApp, type TestApp } from '../../support';

/** Deletions are differences too. */
const PRUNING = { prune: true };

let app: TestApp;
let files: AccessFilesService;

const bytes = (text: string): Buffer => Buffer.from(text);

beforeAll(async () => {
  app = await startTestApp();
  files = app.app.get(AccessFilesService);
});

afterAll(() => app.close());

describe('rules of a file are checked like any others', () => {
  const rule = (member: string): string =>
    `version: 1\npolicies:\n  p:\n    name: P\n    permissions:\n      - collection: service_users\n        action: read\n        fields: ["*"]\n        ${member}`;

  it.each([
    ['permissions: {shoe_size: {_eq: 1}}', '9:23 names the field "shoe_size"'],
    ['permissions: {_and: [{}, {password: {_eq: x}}]}', '9:35 names the field "password"'],
    ['permissions: {email: {_like: x}}', '9:31 is no operator'],
    ['permissions: {role: {_eq: x}}', '9:30 must be a UUID'],
    [
      'permissions: {id: {_eq: $CURRENT_USERS}}',
      '9:28 holds "$CURRENT_USERS", which is no variable',
    ],
    ['presets: {nothing: 1}', '9:19 names the field "nothing"'],
    ['presets: {tags: 1}', '9:19 must be'],
    ['validation: {email: {_regex: "("}}', '9:30'],
  ])('%s', async (member, fault) => {
    await expect(files.diff(bytes(rule(member)), PRUNING)).rejects.toThrow(fault);
  });

  it('names that do not exist are reported', async () => {
    const other = rule('explain: true').replace('service_users', 'articles');
    await expect(files.diff(bytes(other), PRUNING)).rejects.toThrow(
      '6:9 names the collection "articles", which does not exist',
    );
  });
});

it('the example file of the documentation is valid, and formatted like an export', async () => {
  const [, file = ''] =
    /```yaml\n(# Roles[^]*?)```/.exec(readDocument('docs/rules-in-git.md')) ?? [];
  await files.apply(bytes(file), { prune: true, dryRun: false });
  expect((await files.export()).text).toBe(file);
});
