import { playIn, type Scenario } from '../../support/scenarios';
import { openSampleWorld } from '../../security/items/sample-world';

const GOOD = { title: 'Good' };
const NO_TIME = { title: 'Bad', published_at: 'X' };

const write = (more: object): Scenario =>
  ({ caller: 'admin', collection: 'articles', operation: 'createMany', ...more }) as Scenario;

/** Of three items the second is refused. */
const second = (it: string, bad: object, fault: object, more: object = {}): Scenario =>
  write({ it, data: [GOOD, bad, GOOD], refused: [{ ...fault, item: 1 }], ...more });

const required = { code: 'FAILED_VALIDATION', type: 'required' };
const malformed = (field: string) => ({ code: 'INVALID_PAYLOAD', field });

const CREATES: Scenario[] = [
  second('A value of the wrong type', NO_TIME, malformed('published_at')),
  second('A value of the wrong type in JSON', { title: 5 }, malformed('title'), {
    restOnly: 'GraphQL has types of its own',
  }),
  second('An unknown field', { ...GOOD, shape: 1 }, malformed('shape'), {
    restOnly: 'a document with it is not valid',
  }),
  second(
    'No object',
    [] as object,
    { code: 'INVALID_PAYLOAD', field: undefined },
    {
      restOnly: 'a document with it is not valid',
    },
  ),
  second('A missing field', { body: 'X' }, { ...required, field: 'title' }),
  second('A key that is taken', { ...GOOD, id: 1 }, { code: 'RECORD_NOT_UNIQUE', field: 'id' }),
  second('A text that is too long', { title: 'x'.repeat(256) }, { field: 'title' }),
  second('A foreign key without a row', { ...GOOD, category: 77 }, { code: 'INVALID_FOREIGN_KEY' }),
  second(
    'A rule’s validation',
    { title: '' },
    { code: 'FAILED_VALIDATION', field: 'title' },
    {
      caller: 'pia',
    },
  ),
  second(
    'A field without a grant',
    { ...GOOD, secret: 'X' },
    { code: 'FORBIDDEN' },
    {
      caller: 'pia',
    },
  ),
  second(
    'A row that no rule allows',
    { ...GOOD, status: 'archived' },
    { code: 'FORBIDDEN' },
    {
      caller: 'pia',
    },
  ),
  write({
    it: 'Each missing field of the first item that is refused',
    ...{ collection: 'notes', data: [{ text: 'X', article: 1 }, {}] },
    refused: [
      { ...required, field: 'article', item: 1 },
      { ...required, field: 'text', item: 1 },
    ],
  }),
  write({
    it: 'The last of many, which are stored at once',
    data: [...Array.from({ length: 20 }, () => GOOD), { ...GOOD, category: 77 }],
    refused: [{ code: 'INVALID_FOREIGN_KEY', field: 'category', item: 20 }],
  }),
  write({
    it: 'Nothing where the only item of a list is refused',
    data: [NO_TIME],
    refused: [{ ...malformed('published_at'), item: undefined }],
  }),
  write({
    it: 'Nothing where one item was sent',
    ...{ operation: 'create', data: NO_TIME },
    refused: [{ ...malformed('published_at'), item: undefined }],
  }),
];

const RELATED: Scenario[] = [
  second('A new related item', { ...GOOD, category: { name: null } }, { field: 'name' }),
  second(
    'A member of a list',
    { ...GOOD, notes: [{ text: 'X' }, { text: 'X', id: 'X' }] },
    malformed('notes'),
  ),
  second(
    'A related item without a required field',
    { ...GOOD, notes: [{}] },
    {
      ...required,
      field: 'text',
    },
  ),
  second(
    'A related item that refers to no row',
    { ...GOOD, notes: [{ text: 'X', author: '00000000-0000-4000-8000-000000000000' }] },
    { code: 'INVALID_FOREIGN_KEY', field: 'author' },
  ),
  second(
    'A related item that no rule allows',
    { ...GOOD, tags: [{ name: 'X' }] },
    {
      code: 'FORBIDDEN',
    },
    { caller: 'pia' },
  ),
];

const UPDATES: Scenario[] = [
  write({
    it: 'An update with a wrong value',
    ...{
      operation: 'updateEach',
      data: [
        { id: 1, title: 'X' },
        { id: 2, ...NO_TIME },
      ],
    },
    refused: [{ ...malformed('published_at'), item: 1 }],
  }),
  write({
    it: 'An update without a key',
    ...{ operation: 'updateEach', data: [{ id: 1, title: 'X' }, { title: 'Y' }] },
    refused: [{ ...malformed('id'), item: 1 }],
  }),
  ...[99, 'one'].map((key) =>
    write({
      it: `Nothing where there is no row ${key}`,
      ...{
        operation: 'updateEach',
        data: [
          { id: 1, title: 'X' },
          { id: key, title: 'Y' },
        ],
      },
      refused: [{ code: 'FORBIDDEN', item: undefined }],
    }),
  ),
  write({
    it: 'An update that a validation refuses',
    ...{ caller: 'pia', operation: 'updateEach' },
    data: [
      { id: 4, title: 'X' },
      { id: 5, title: '' },
    ],
    refused: [{ code: 'FAILED_VALIDATION', field: 'title', item: 1 }],
  }),
  write({
    it: 'An update that refers to no row, behind others like each other',
    operation: 'updateEach',
    data: [
      { id: 1, title: 'X' },
      { id: 2, title: 'X' },
      { id: 3, category: 77 },
    ],
    refused: [{ code: 'INVALID_FOREIGN_KEY', field: 'category', item: 2 }],
  }),
  write({
    it: 'Nothing of several like each other, which the database refuses together',
    operation: 'updateEach',
    data: [
      { id: 1, category: 77 },
      { id: 2, category: 77 },
      { id: 3, title: 'X' },
    ],
    refused: [{ code: 'INVALID_FOREIGN_KEY', field: 'category', item: undefined }],
  }),
  write({
    it: 'Nothing where all get the same values',
    ...{ operation: 'updateMany', ids: [1, 2], data: NO_TIME },
    refused: [{ ...malformed('published_at'), item: undefined }],
  }),
];

playIn({ open: openSampleWorld, scenarios: [...CREATES, ...RELATED, ...UPDATES] });
