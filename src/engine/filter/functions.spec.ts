import { column, things } from '../sample.spec-support';
import type { ScalarType } from '../schema/schema';
import type { Cell } from '../schema/value';
import { applyFunction, type FunctionName, functionsOf, parseCall } from './functions';

describe('functions of times, in UTC', () => {
  it.each<[FunctionName, Cell, number | null]>([
    ['year', '2024-05-06T07:08:09.123Z', 2024],
    ['month', '2024-05-06T07:08:09.123Z', 5],
    ['day', '2024-05-06T07:08:09.123Z', 6],
    ['hour', '2024-05-06T07:08:09.123Z', 7],
    ['minute', '2024-05-06T07:08:09.123Z', 8],
    ['second', '2024-05-06T07:08:09.999Z', 9],
    ['hour', '23:59:58.999', 23],
    ['minute', '23:59:58.999', 59],
    ['second', '23:59:58.999', 58],
    ['year', '0001-01-01', 1],
    ['year', '0099-12-31', 99],
    ['year', '9999-12-31', 9999],
    ['day', '2024-02-29', 29],
    ['month', '2024-12-31', 12],
    ['weekday', '2024-03-31', 0],
    ['weekday', '2024-04-01', 1],
    ['weekday', '2024-04-06', 6],
    ['weekday', '0001-01-01', 1],
    // ISO weeks around the ends of years.
    ['week', '2018-12-30', 52],
    ['week', '2018-12-31', 1],
    ['week', '2019-01-01', 1],
    ['week', '2019-12-29', 52],
    ['week', '2019-12-30', 1],
    ['week', '2020-12-31', 53],
    ['week', '2021-01-01', 53],
    ['week', '2021-01-03', 53],
    ['week', '2021-01-04', 1],
    ['week', '2022-01-01', 52],
    ['week', '2022-01-02', 52],
    ['week', '2022-01-03', 1],
    ['week', '2023-01-01', 52],
    ['week', '2024-12-29', 52],
    ['week', '2024-12-30', 1],
    ['week', '2026-12-31', 53],
    ['week', '2027-01-01', 53],
    ['week', '0001-01-01', 1],
    ['week', '0100-01-01', 53],
    ['week', '9999-12-31', 52],
    ['week', '2021-01-03T23:59:59.999Z', 53],
    // Values that only other programs can store.
    ['year', '0001-12-31 BC', -1],
    ['year', '0044-03-15 12:30:00+00 BC', -44],
    ['weekday', '0044-03-15 BC', 5],
    ['week', '0044-01-01 BC', 1],
    ['minute', '0044-03-15 12:30:00 BC', 30],
    ['year', '12024-12-30 07:08:09+00', 12024],
    ['week', '12024-12-30 07:08:09+00', 1],
    ['second', '12024-12-30 07:08:09+00', 9],
    ['weekday', '294276-12-31', 0],
    ['hour', '24:00:00.000', 24],
    ['year', 'infinity', null],
    ['hour', '-infinity', null],
    ['second', 'infinity', null],
    ['count', [], 0],
    ['count', [null, 1], 2],
    ['count', {}, null],
    ['count', 'ab', null],
    ['count', 3, null],
  ])('%s of %j is %j', (fn, cell, expected) => {
    expect(applyFunction(fn, cell)).toBe(expected);
  });

  it.each<[FunctionName]>([
    ['year'],
    ['month'],
    ['week'],
    ['day'],
    ['weekday'],
    ['hour'],
    ['minute'],
    ['second'],
    ['count'],
  ])('%s of NULL is NULL', (fn) => {
    expect(applyFunction(fn, null)).toBeNull();
  });
});

describe('the functions that a field admits', () => {
  const calendar = ['year', 'month', 'week', 'day', 'weekday'];
  const clock = ['hour', 'minute', 'second'];
  it.each<[ScalarType, readonly string[]]>([
    ['timestamp', [...calendar, ...clock]],
    ['date', calendar],
    ['time', clock],
    ['json', ['count']],
    ['array', ['count']],
    ['integer', []],
    ['bigint', []],
    ['decimal', []],
    ['double', []],
    ['boolean', []],
    ['text', []],
    ['enum', []],
    ['uuid', []],
  ])('%s: %j', (type, expected) => {
    expect(functionsOf(column('x', type))).toEqual(expected);
  });

  it.each([
    ['parts', ['count']],
    ['owner', []],
  ])('of the relation %s: %j', (name, expected) => {
    const field = things.fields.get(name);
    expect(field && functionsOf(field)).toEqual(expected);
  });
});

describe('a call of a function', () => {
  it.each([
    ['year(made)', { fn: 'year', argument: 'made' }],
    ['count(a.b)', { fn: 'count', argument: 'a.b' }],
    ['bogus(made)', { fn: null, argument: 'made' }],
    ['constructor(made)', { fn: null, argument: 'made' }],
    ['year', undefined],
    ['year()', undefined],
    ['year(a', undefined],
    ['year(month(a))', undefined],
    ['year(a) ', undefined],
    ['YEAR(a)', undefined],
    ['', undefined],
  ])('%j is read as %j', (text, expected) => {
    expect(parseCall(text)).toEqual(expected);
  });
});
