import { DatabaseError } from 'pg';
import { lacksDeclared } from './declared-names';

const DECLARED = new Map([
  ['notes', new Set(['title'])],
  ['a "b"', new Set(['name'])],
]);

/** An error that points to the place of `at` in the text. */
const pointing = (code: string, text: string, at: string): DatabaseError =>
  Object.assign(new DatabaseError('', 0, 'error'), { code, position: `${text.indexOf(at) + 1}` });

it.each<[string, string, string, boolean]>([
  ['42P01', 'SELECT FROM notes t WHERE true', 'notes', true],
  ['42P01', 'SELECT FROM "public"."notes" title', '"public"', true],
  ['42P01', 'SELECT FROM public . "a ""b"""', 'public', true],
  ['42P01', 'SELECT FROM note', 'note', false],
  ['42P01', 'SELECT title FROM note', 'note', false],
  ['42P01', 'SELECT t."title"', 't."title"', false],
  ['42703', 'SELECT t."title" FROM "notes" t', 't."title"', true],
  ['42703', 'UPDATE notes SET title = 1', 'title', true],
  ['42703', 'SELECT name FROM notes', 'name', false],
  ['42703', 'SELECT title FROM note', 'title', false],
  ['42P02', 'SELECT FROM notes', 'notes', false],
])('%s in %j at %j', (code, text, at, expected) => {
  expect(lacksDeclared(pointing(code, text, at), text, DECLARED)).toBe(expected);
});

it('in a statement of a function', () => {
  const error = Object.assign(new DatabaseError('', 0, 'error'), {
    ...{ code: '42P01', internalPosition: '13', internalQuery: 'SELECT FROM notes' },
  });
  expect(lacksDeclared(error, 'INSERT INTO others VALUES (1)', DECLARED)).toBe(true);
});

it('any other error says nothing about tables', () => {
  expect(lacksDeclared(new Error('42P01'), 'SELECT FROM notes', DECLARED)).toBe(false);
});
