import type { Cell } from '../../src/engine';

/** The keys that the database generates for a collection, by their number. */
export const madeUpKey = (keyType: 'integer' | 'uuid', number: number): Cell =>
  keyType === 'integer' ? FIRST_MADE_UP + number : MADE_UP_UUID + String(number).padStart(12, '0');

export const FIRST_MADE_UP = 5000;
export const MADE_UP_UUID = 'eeeeeeee-eeee-4eee-8eee-';
