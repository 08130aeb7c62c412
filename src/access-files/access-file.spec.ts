import { type FileFault } from './file-fault';
import { readAccessFile } from './read-file';
import { writeAccessFile } from './write-file';

const read = (text: string): ReturnType<typeof readAccessFile> => readAccessFile(Buffer.from(text));
const written = (text: string): string => writeAccessFile(read(text).state);

function faultsOf(text: string | Buffer): string[] {
  try {
    readAccessFile(Buffer.from(text));
    return [];
  } catch (error) {
    return (error as FileFault).message.split('\n');
  }
}

const FILE = `# Roles, policies and rules. Written by \`doorward access export\`, applied by \`access apply\`.

version: 1
roles:
  editors:
    name: Editors
    icon: pen
    parent: staff
    policies:
      - editing
      - policy: on-call
        expires_at: "2027-01-01T00:00:00.000Z"
  staff:
    name: "no"
policies:
  editing:
    name: Editing
    ip_access: [10.0.0.0/8, ::1]
    permissions:
      - collection: articles
        action: read
        fields: [status, title]
        permissions:
          _and:
            - status:
                _in: ["no", "yes", "1.0", "0x1f", "null", ~x, "2024-01-01", "12:30", ""]
            - owner.role:
                _eq: $ROLE(editors)
      - collection: articles
        action: update
        fields: ["*"]
        validation:
          title:
            _contains: |-
              a: b # c
                second line\ttab
        presets:
          count: 3
          owner: null
          ready: false
        explain: true
  on-call:
    name: On call
    admin_access: true
everyone: [editing]
`;

describe('a file', () => {
  it('is written as it was read, byte for byte', () => {
    expect(written(FILE)).toBe(FILE);
  });

  it('is the same whatever the order of its parts and the notation of its values', () => {
    const shuffled = `
      {everyone: [{policy: editing, expires_at: null}], policies: {
        on-call: {admin_access: true, name: 'On call', description: null, app_access: false},
        editing: {permissions: [
          {explain: true, action: update, fields: [title, '*'], presets: {ready: false, owner: ~, count: 3},
           validation: {title: {_contains: "a: b # c\\n  second line\\ttab"}}, collection: articles},
          {action: read, collection: articles, presets: {}, fields: [title, status, title], permissions: {_and: [
            {status: {_in: ['no', 'yes', '1.0', '0x1f', 'null', '~x', '2024-01-01', '12:30', '']}},
            {owner.role: {_eq: $ROLE(editors)}}]}}],
          ip_access: ['::1', 10.0.0.0/8], name: Editing}},
       roles: {staff: {name: 'no', policies: []}, editors: {policies: [
          {policy: on-call, expires_at: '2027-01-01T02:00:00+02:00'}, editing],
          parent: staff, icon: pen, name: Editors}}, version: 1}`;
    expect(written(shuffled)).toBe(FILE);
  });

  it('is read again unchanged, even if a line of a text is indented far', () => {
    const description = `a\n${' '.repeat(500)}b\n\n${' '.repeat(500)}\n${'c '.repeat(50)}`;
    const state = read(
      JSON.stringify({ version: 1, roles: { a: { name: 'A', description } } }),
    ).state;
    const text = writeAccessFile(state);
    expect(read(text).state).toEqual(state);
    expect(written(text)).toBe(text);
  });

  it.each([
    ['blanks before a line break', { description: '  \n' }, []],
    ['only blanks and line breaks', { description: ' \n \n', icon: '\n ' }, []],
    ['a list with a text of several lines', {}, ['?\n!t', '- a\n: b', '\n']],
  ])('is read again unchanged, also with %s', (_, face, names) => {
    const rule = { collection: 'articles', action: 'read', permissions: { title: { _in: names } } };
    const policies = { p: { name: 'P', ...face, permissions: [{ ...rule, fields: names }] } };
    const { state } = read(JSON.stringify({ version: 1, policies }));
    const text = writeAccessFile(state);
    expect(read(text).state).toEqual(state);
    expect(written(text)).toBe(text);
  });

  it('without any content is still a file', () => {
    expect(written('version: 1')).toContain('version: 1\n');
  });

  it('keeps only rules with presets in their order, since the first of them wins', () => {
    const rules = (lines: string[]): string =>
      `version: 1\npolicies:\n  p:\n    name: P\n    permissions:\n${lines.map((line) => `      - {collection: c, action: create, ${line}}`).join('\n')}`;
    const one = rules(['presets: {a: 2}', 'fields: [b]', 'presets: {a: 1}', 'fields: [a]']);
    const other = rules(['fields: [a]', 'presets: {a: 2}', 'fields: [b]', 'presets: {a: 1}']);
    const turned = rules(['fields: [a]', 'presets: {a: 1}', 'fields: [b]', 'presets: {a: 2}']);
    expect(written(one)).toBe(written(other));
    expect(written(one)).not.toBe(written(turned));
  });
});

const ROLE = 'version: 1\nroles:\n  a:\n    name: A\n';
const RULE =
  'version: 1\npolicies:\n  p:\n    name: P\n    permissions:\n      - collection: c\n        action: read\n';

describe('a document that is not plain data is refused, with line and column', () => {
  it.each([
    ['a document that is not a mapping', '- 1', '1:1'],
    ['no version', 'roles: {}', '1:1 must say "version: 1"'],
    ['a later version', 'version: 2', '1:1 must say "version: 1"'],
    ['an anchor', 'version: &x 1', '1:13 must have no anchors'],
    ['an alias', 'version: 1\nroles: *r', '2:8 '],
    ['a tag', 'version: !!int 1', '1:16 must have no tags'],
    ['a tag that runs code elsewhere', 'version: !!js/function "x"', '1:10 Unresolved tag'],
    ['a merge', 'version: 1\n<<: {roles: {}}', '2:1 "<<" is not known here'],
    [
      'a second document',
      'version: 1\n---\nversion: 1',
      '2:1 begins a second document; a file is one',
    ],
    ['an asterisk without quotes', `${RULE}        fields: [*]`, '8:18 begins like an alias: put'],
    ['a deep list', `version: 1\nroles: ${'['.repeat(9_000)}`, ' is nested too deeply'],
    ['a directive', '%YAML 1.1\n---\nversion: 1', '1:1 must have no %YAML directive'],
    ['a name that is listed twice', `${ROLE}  a:\n    name: B`, '5:3 "a" is listed twice'],
    ['__proto__', `${ROLE}    __proto__: {x: 1}`, '5:5 "__proto__" is not allowed as a name'],
    ['__proto__ in a filter', `${RULE}        permissions: {__proto__: {}}`, '8:23 "__proto__"'],
    ['a name that is a number', 'version: 1\n1: x', '2:1 a name must be text'],
    ['a name that is a list', 'version: 1\n? [a]\n: x', '2:3 a name must be text'],
    [
      'a number that is not exact',
      `${RULE}        presets: {a: 9007199254740993}`,
      '8:22 a number',
    ],
    ['infinity', `${RULE}        presets: {a: .inf}`, '8:22 a number that is not exact'],
    ['a list that does not end', 'version: [1\nroles: {}', '2:1 Flow sequence'],
    ['a tab', 'version: 1\nroles:\n\ta: 1', '3:1 Tabs are not allowed'],
  ])('%s', (_, text, fault) => {
    expect(faultsOf(text)[0]).toContain(fault);
  });

  it.each([
    ['brackets', '['.repeat(4_000_000)],
    ['braces', '{'.repeat(4_000_000)],
    ['dashes', '- '.repeat(2_000_000)],
    ['question marks', '? '.repeat(2_000_000)],
    ['indentation', Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
  ])('nested endlessly by %s', (_, text) => {
    expect(faultsOf(text)).toEqual([expect.stringMatching(/^\d+:\d+ is nested too deeply$/)]);
  });

  it('a hundred and fifty thousand faults are no other error', () => {
    expect(faultsOf(`[${'*a, '.repeat(150_000)}]`)).toHaveLength(150_000);
  });

  it('not UTF-8, or too large', () => {
    expect(faultsOf(Buffer.from([0x61, 0xff]))).toEqual(['1:1 is not UTF-8']);
    expect(faultsOf(' '.repeat(4_000_001))).toEqual(['1:1 is larger than 4 MB']);
  });

  it('all faults are reported at once', () => {
    const faults = faultsOf(`${ROLE}    icon: 3\n    parent: b\n    policies: [c]\n    color: red`);
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['8:5', '5:5', '6:5', '7:5']);
  });
});

describe('an invalid value is refused, with line and column', () => {
  it.each([
    ['an unknown member', `${ROLE}    colour: red`, '5:5 "colour" is not known here'],
    ['no name', 'version: 1\nroles:\n  a: {}', '3:3 needs a name'],
    ['a name that is not text', 'version: 1\nroles:\n  a: {name: 3}', '3:7 must be'],
    ['a name that is too long', `version: 1\nroles:\n  a: {name: ${'x'.repeat(256)}}`, '3:7'],
    ['a key with capitals', 'version: 1\nroles:\n  A: {name: A}', '3:3 a key has small letters'],
    ['a key that is too long', `version: 1\nroles:\n  ${'a'.repeat(65)}: {name: A}`, '3:3 a key'],
    ['a missing parent', `${ROLE}    parent: b`, '5:5 there is no role "b" here'],
    ['a role that is its own parent', `${ROLE}    parent: a`, '5:5 would make a role its own'],
    ['a missing policy', `${ROLE}    policies: [b]`, '5:5 there is no policy "b" here'],
    [
      'a policy twice',
      `${ROLE}    policies: [b, b]\npolicies: {b: {name: B}}`,
      '5:5 the policy "b" is listed twice',
    ],
    [
      'an end that is not a time',
      `${ROLE}    policies: [{policy: b, expires_at: soon}]`,
      '5:28 must',
    ],
    ['an invalid network', 'version: 1\npolicies: {p: {name: P, ip_access: [x]}}', '2:37 is no'],
    [
      'a flag that is text',
      'version: 1\npolicies: {p: {name: P, enforce_tfa: "true"}}',
      '2:25 must',
    ],
    ['an invalid action', RULE.replace('read', 'peek'), '7:9 needs an action'],
    ['no collection', RULE.replace('collection: c', 'explain: true'), '6:9 needs a collection'],
    ['a filter that is a list', `${RULE}        permissions: []`, '8:9 must be an object'],
    ['fields that are not a list', `${RULE}        fields: title`, '8:9 must be a list'],
    ['a field that is not text', `${RULE}        fields: [1]`, '8:18 must be text'],
    [
      'a reference to something missing',
      `${RULE}        permissions: {_or: [{a: {_eq: $ROLE(x)}}]}`,
      '8:34 "$ROLE(x)" is not a role or policy of this file',
    ],
  ])('%s', (_, text, fault) => {
    expect(faultsOf(text).join('\n')).toContain(fault);
  });

  it('`constructor` is a key like any other', () => {
    expect(written('version: 1\nroles:\n  constructor: {name: C}')).toContain('constructor:');
  });
});
