import { play, type Scenario } from '../../support/scenarios';
import { SEED } from './fixtures';

const collection = 'service_settings';

const changed = (it: string, caller: string | null, data: unknown, expected: object): Scenario =>
  ({ it, caller, collection, operation: 'updateSingleton', data, ...expected }) as Scenario;
const read = (it: string, caller: string | null, query: object, expected: object): Scenario => ({
  it,
  caller,
  collection,
  operation: 'readSingleton',
  query,
  ...expected,
});
const fault = (what: string, data: object, code: string, field: string): Scenario =>
  changed(`are not changed to ${what}`, 'admin', data, { refused: [{ code, field }] });

/** The kind of filter, the filter, and the path that the error names. */
const EMAIL_FILTERS: readonly (readonly [string, unknown, string])[] = [
  ['a list', [], ''],
  ['text', 'example.com', ''],
  ['on another field', { role: { _null: true } }, '.role'],
  ['without a valid operator', { email: { _like: 'x' } }, '.email._like'],
  ['a pattern with a look-ahead', { email: { _regex: '(?=x)' } }, '.email._regex'],
  ['a filter with a variable', { email: { _eq: '$CURRENT_USER' } }, '.email'],
];

describe('settings', () => {
  play({
    seed: SEED,
    scenarios: [
      read(
        'are one object',
        'admin',
        {},
        {
          shows: {
            id: 1,
            project_name: 'Doorward',
            project_url: null,
            default_language: 'en-US',
            public_registration: false,
            public_registration_role: null,
            public_registration_verify_email: true,
            public_registration_email_filter: {},
            auth_login_attempts: 20,
            auth_password_policy: null,
          },
        },
      ),
      read(
        'show the requested fields',
        'admin',
        { fields: ['project_name'], meta: ['total_count'] },
        {
          gives: { project_name: 'Doorward' },
          meta: { total_count: 1 },
        },
      ),
      read(
        'show users the fields that their rule lists',
        'cid',
        {},
        {
          gives: { id: 1, project_name: 'Doorward', default_language: 'en-US' },
        },
      ),
      read(
        'hide a field that no rule lists',
        'cid',
        { fields: ['project_url'] },
        { refused: 'FORBIDDEN' },
      ),
      read('are hidden from users without a rule', 'ann', {}, { refused: 'FORBIDDEN' }),
      read('are hidden from callers who are not signed in', null, {}, { refused: 'FORBIDDEN' }),

      changed(
        'are changed only in the fields that were sent',
        'admin',
        { project_name: 'Harbour', public_registration_role: '<spare>' },
        {
          query: { fields: ['project_name', 'default_language', 'public_registration_role.name'] },
          gives: {
            project_name: 'Harbour',
            default_language: 'en-US',
            public_registration_role: { name: 'spare' },
          },
        },
      ),
      changed(
        'lose their e-mail filter for null, as clients send it',
        'admin',
        { public_registration_email_filter: null },
        {
          query: { fields: ['public_registration_email_filter'] },
          gives: { public_registration_email_filter: {} },
        },
      ),
      changed(
        'are not changed by an empty body',
        'admin',
        {},
        { shows: { project_name: 'Doorward' } },
      ),
      changed(
        'are changed by users whose rule lists the field',
        'cid',
        { project_name: 'Pier' },
        {
          gives: { id: 1, project_name: 'Pier', default_language: 'en-US' },
        },
      ),
      changed(
        'follow the validation of a rule',
        'cid',
        { project_name: '' },
        {
          refused: [{ code: 'FAILED_VALIDATION', field: 'project_name' }],
        },
      ),
      changed(
        'are not changed in a field that no rule lists',
        'cid',
        { default_language: 'de' },
        { refused: 'FORBIDDEN' },
      ),
      changed(
        'are not changed without a rule',
        'ann',
        { project_name: 'x' },
        { refused: 'FORBIDDEN' },
      ),
      changed(
        'are not changed by callers who are not signed in',
        null,
        { project_name: 'x' },
        { refused: 'FORBIDDEN' },
      ),
      fault('a name that is null', { project_name: null }, 'NOT_NULL_VIOLATION', 'project_name'),
      fault('a name too long', { project_name: 'n'.repeat(256) }, 'VALUE_TOO_LONG', 'project_name'),
      fault(
        'a flag that is text',
        { public_registration: 'yes' },
        'INVALID_PAYLOAD',
        'public_registration',
      ),
      fault(
        'a fractional number of attempts',
        { auth_login_attempts: 1.5 },
        'INVALID_PAYLOAD',
        'auth_login_attempts',
      ),
      fault(
        'a number of attempts that is too large',
        { auth_login_attempts: 2_147_483_648 },
        'VALUE_OUT_OF_RANGE',
        'auth_login_attempts',
      ),
      fault(
        'a role that does not exist',
        { public_registration_role: '<ann>' },
        'INVALID_FOREIGN_KEY',
        'public_registration_role',
      ),
      ...[
        'javascript:alert(1)',
        'example.com',
        '//example.com',
        'https:/\\example.com',
        'http://',
      ].map((project_url) =>
        fault(`a project at ${project_url}`, { project_url }, 'FAILED_VALIDATION', 'project_url'),
      ),
      ...['', 'x', 'en_US', 'de AT'].map((default_language) =>
        fault(
          `a language like "${default_language}"`,
          { default_language },
          'FAILED_VALIDATION',
          'default_language',
        ),
      ),
      ...EMAIL_FILTERS.map(([what, filter, at]) =>
        fault(
          `a filter on addresses that is ${what}`,
          { public_registration_email_filter: filter },
          'INVALID_PAYLOAD',
          `public_registration_email_filter${at}`,
        ),
      ),
      changed(
        'accept an address, a language and a filter of registrations',
        'admin',
        {
          ...{ project_url: 'https://example.com/a?b#c', default_language: 'zh-Hant-TW' },
          public_registration_email_filter: { email: { _iends_with: '@example.com' } },
        },
        {
          shows: {
            ...{ project_url: 'https://example.com/a?b#c', default_language: 'zh-Hant-TW' },
            public_registration_email_filter: { email: { _iends_with: '@example.com' } },
          },
        },
      ),
      fault('another row', { id: 2 }, 'INVALID_PAYLOAD', 'id'),
      fault('an unknown setting', { colour: 'red' }, 'INVALID_PAYLOAD', 'colour'),
      changed('cannot be sent as a list', 'admin', [{ project_name: 'x' }], {
        refused: 'INVALID_PAYLOAD',
      }),
    ],
  });
});
