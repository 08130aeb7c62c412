import { readVariable } from '../parsing.spec-support';
import { ANNA, faultOf, inQuery, inRule } from '../sample.spec-support';
import { variableText } from '../rules/decide';
import { parseFilter } from './parse-filter';
import { parseVariable } from './variables';

describe('the forms of variables', () => {
  it.each([
    ['$CURRENT_USER', { kind: 'user', path: [] }],
    ['$CURRENT_USER.id', { kind: 'user', path: ['id'] }],
    ['$CURRENT_USER.role.parent.name', { kind: 'user', path: ['role', 'parent', 'name'] }],
    ['$CURRENT_ROLE', { kind: 'role', path: [] }],
    ['$CURRENT_ROLE.name', { kind: 'role', path: ['name'] }],
    ['$CURRENT_ROLES', { kind: 'roles' }],
    ['$CURRENT_POLICIES', { kind: 'policies' }],
    ['$NOW', { kind: 'now', amount: 0 }],
    ['$NOW(-1 day)', { kind: 'now', amount: -1, unit: 'day' }],
    ['$NOW(+2 weeks)', { kind: 'now', amount: 2, unit: 'week' }],
    ['$NOW(99999 seconds)', { kind: 'now', amount: 99999, unit: 'second' }],
  ])('%s', (text, expected) => {
    expect(readVariable(text)).toMatchObject(expected);
  });

  it.each([
    '$CURRENT_USER',
    '$CURRENT_USER.role.name',
    '$CURRENT_ROLE.id',
    '$CURRENT_ROLES',
    '$CURRENT_POLICIES',
    '$NOW',
    '$NOW(-1 month)',
  ])('%s is described as it is written', (text) => {
    expect(variableText(readVariable(text))).toBe(text);
  });

  it.each([
    '$CURRENT_',
    '$CURRENT_USERS',
    '$CURRENT_USER.',
    '$CURRENT_USER..id',
    '$CURRENT_USER.role.',
    '$CURRENT_USER id',
    '$CURRENT_USER.0',
    '$CURRENT_ROLES.name',
    '$CURRENT_POLICIES.id',
    '$CURRENT_TIME',
    '$NOWHERE',
    '$NOW()',
    '$NOW(1)',
    '$NOW(day)',
    '$NOW(-1day)',
    '$NOW(- 1 day)',
    '$NOW(1.5 days)',
    '$NOW(1 fortnight)',
    '$NOW(100000 days)',
    '$NOW(-1 day) ',
    '$NOW.year',
    '$CURRENT_USER\n',
    '$NOW\n',
  ])('%j is neither a variable nor a literal', (text) => {
    expect(faultOf(() => parseFilter({ text: { _eq: text } }, 'things', inQuery))).toMatchObject({
      kind: 'malformed',
      path: ['filter', 'text', '_eq'],
      reason: `holds ${JSON.stringify(text)}, which is no variable`,
    });
  });

  it.each(['$', '$5', '$USER', 'x$NOW', ' $NOW', '$current_user', '$now'])(
    '%j is a literal',
    (text) => {
      expect(parseFilter({ text: { _eq: text } }, 'things', inRule)).toMatchObject({
        operands: [{ literal: text }],
      });
    },
  );
});

describe('the path of a variable', () => {
  it.each([
    ['$CURRENT_USER.password', 'hidden', 'service_users', 'password'],
    ['$CURRENT_USER.bogus', 'hidden', 'service_users', 'bogus'],
    ['$CURRENT_USER.boss.password', 'hidden', 'service_users', 'password'],
    ['$CURRENT_USER.role.bogus', 'hidden', 'service_roles', 'bogus'],
    ['$CURRENT_USER.__proto__', 'hidden', 'service_users', '__proto__'],
    ['$CURRENT_USER.constructor', 'hidden', 'service_users', 'constructor'],
  ])('%s is %s', (text, kind, collection, field) => {
    expect(faultOf(() => readVariable(text))).toMatchObject({
      kind,
      path: ['at'],
      subject: { collection, field },
    });
  });

  it.each([
    ['$CURRENT_USER.things', 'cannot follow the list'],
    ['$CURRENT_USER.name.id', 'name leads to no other collection'],
    ['$CURRENT_USER.boss.boss.boss.boss.boss.id', 'follows more than 5 fields'],
  ])('%s is malformed', (text, reason) => {
    expect(faultOf(() => readVariable(text)).reason).toContain(reason);
  });

  it('may have five fields', () => {
    expect(readVariable('$CURRENT_USER.boss.boss.boss.boss.age')).toMatchObject({
      field: { type: 'integer' },
    });
  });

  it('is hidden if the lookup hides it, except for the key', () => {
    const lookup = { key: () => undefined, field: () => undefined };
    expect(parseVariable('$CURRENT_USER', lookup, [])).toMatchObject({ kind: 'user' });
    expect(faultOf(() => parseVariable('$CURRENT_USER.id', lookup, [])).kind).toBe('hidden');
  });
});

describe('the type of a variable', () => {
  it.each([
    ['uuid', '_eq', '$CURRENT_USER'],
    ['text', '_eq', '$CURRENT_USER'],
    ['owner', '_eq', '$CURRENT_USER'],
    ['owner', '_eq', '$CURRENT_USER.boss'],
    ['uuid', '_in', '$CURRENT_ROLES'],
    ['uuid', '_nin', ['$CURRENT_POLICIES', ANNA]],
    ['uuid', '_in', '$CURRENT_USER'],
    ['text', '_in', '$CURRENT_USER.tags'],
    ['enum', '_eq', '$CURRENT_USER.name'],
    ['text', '_icontains', '$CURRENT_USER.name'],
    ['integer', '_lt', '$CURRENT_USER.age'],
    ['decimal', '_between', ['$CURRENT_USER.age', 7]],
    ['timestamp', '_gte', '$NOW'],
    ['date', '_gte', '$NOW(-1 year)'],
    ['date', '_eq', '$CURRENT_USER.born'],
    ['year(timestamp)', '_eq', '$CURRENT_USER.age'],
  ])('%s %s %j', (field, operator, operand) => {
    expect(() => parseFilter({ [field]: { [operator]: operand } }, 'things', inRule)).not.toThrow();
  });

  it.each([
    ['integer', '_eq', '$CURRENT_USER'],
    ['integer', '_eq', '$CURRENT_USER.name'],
    ['text', '_eq', '$CURRENT_USER.age'],
    ['text', '_eq', '$NOW'],
    ['time', '_lt', '$NOW'],
    ['timestamp', '_lt', '$CURRENT_USER.born'],
    ['boolean', '_eq', '$CURRENT_USER.age'],
    ['uuid', '_eq', '$CURRENT_ROLES'],
    ['uuid', '_neq', '$CURRENT_POLICIES'],
    ['text', '_eq', '$CURRENT_USER.tags'],
    ['integer', '_in', '$CURRENT_USER.tags'],
    ['year(timestamp)', '_eq', '$NOW'],
    ['text', '_null', '$CURRENT_USER'],
    ['integer', '_between', '$CURRENT_USER.tags'],
  ])('%s %s %j does not fit', (field, operator, operand) => {
    const fault = faultOf(() =>
      parseFilter({ [field]: { [operator]: operand } }, 'things', inRule),
    );
    expect([fault.kind, fault.path.join('.')]).toEqual([
      'malformed',
      `filter.${field}.${operator}`,
    ]);
  });
});
