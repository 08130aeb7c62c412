import { playIn, type Scenario } from '../../support/scenarios';
import { openSampleWorld } from '../../security/items/sample-world';

const write = (more: object): Scenario =>
  ({ caller: 'admin', collection: 'articles', operation: 'create', ...more }) as Scenario;

const published = (sent: string, stored: string): Scenario =>
  write({
    it: `The time ${sent} is stored as ${stored}`,
    ...{ data: { title: 'X', published_at: sent }, query: { fields: ['published_at'] } },
    gives: { published_at: stored },
  });

const noTime = (sent: string): Scenario =>
  write({
    it: `${sent} is not a time`,
    data: { title: 'X', published_at: sent },
    refused: [{ code: 'INVALID_PAYLOAD', field: 'published_at' }],
  });

const MIDNIGHT = '2026-02-28T00:00:00.000Z';

const TIMES: Scenario[] = [
  published('2026-02-28', MIDNIGHT),
  published('2026-02-28T00:00', MIDNIGHT),
  published('2026-02-28T00:00:00', MIDNIGHT),
  published('2026-02-28T01:00+01:00', MIDNIGHT),
  published('2026-02-28T00:00:00.000000999', MIDNIGHT),
  published('2026-02-27T23:59:59.999999Z', '2026-02-27T23:59:59.999Z'),
  ...[
    '2026-02-29',
    '2026-02-28 00:00',
    '2026-02-28T24:00',
    '28.02.2026',
    '2026-02-28T00:00:00.1234567890Z',
  ].map(noTime),
];

/** A write without rows answers an empty list. */
const UNTOUCHED: Scenario[] = [
  write({ it: 'No new items', operation: 'createMany', data: [], gives: [] }),
  write({ it: 'No updates', operation: 'updateEach', data: [], gives: [] }),
  write({ it: 'No keys', operation: 'updateMany', ids: [], data: { title: 'X' }, gives: [] }),
  write({
    it: 'A query that finds nothing',
    ...{ operation: 'updateWhere', where: { filter: { id: { _eq: 99 } } }, data: { title: 'X' } },
    gives: [],
  }),
  write({
    it: 'A query that finds nothing that the caller sees',
    ...{ caller: 'pia', operation: 'updateWhere', where: { filter: { title: { _eq: 'Hills' } } } },
    ...{ data: { title: 'X' }, gives: [] },
  }),
  write({
    it: 'It is counted if that is requested',
    ...{ restOnly: 'a mutation counts nothing', operation: 'updateMany', ids: [] },
    ...{ data: { title: 'X' }, query: { meta: ['*'] } },
    ...{ gives: [], meta: { total_count: 0, filter_count: 0 } },
  }),
  write({ it: 'No keys to delete', operation: 'deleteMany', ids: [], silent: true }),
];

const required = (field: string) => ({ code: 'FAILED_VALIDATION', field, type: 'required' });

const LEFT_OUT: Scenario[] = [
  write({ it: 'One missing field is reported', data: { body: 'Y' }, refused: [required('title')] }),
  write({
    it: 'Several missing fields are reported separately',
    ...{ collection: 'notes', data: {}, refused: [required('article'), required('text')] },
  }),
  write({
    it: 'A missing field of a nested item is reported',
    ...{ data: { title: 'X', notes: [{}] }, refused: [required('text')] },
  }),
  write({
    it: 'A null does not count as missing',
    ...{ data: { title: null }, refused: [{ code: 'NOT_NULL_VIOLATION', field: 'title' }] },
  }),
];

/** Proofs of identity that a form sends without a value. */
const PROOFS: Scenario[] = [{ current_password: null }, { otp: null, current_password: null }].map(
  (proofs) =>
    write({
      it: `The own name with ${Object.keys(proofs).join(' and ')} left empty`,
      ...{ collection: 'service_users', operation: 'update', id: '<admin>' },
      ...{ data: { first_name: 'Anna', ...proofs }, query: { fields: ['first_name'] } },
      gives: { first_name: 'Anna' },
    }),
);

playIn({ open: openSampleWorld, scenarios: [...TIMES, ...UNTOUCHED, ...LEFT_OUT, ...PROOFS] });
