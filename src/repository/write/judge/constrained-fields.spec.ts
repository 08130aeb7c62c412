import { DatabaseError } from 'pg';
import type { StoredCollection } from '../../registry/stored-collection';
import { writtenField } from './constrained-fields';

const collection = { columns: new Map([['twice', { sql: '"twice"' }]]) };

it.each([
  'column "twice" can only be updated to DEFAULT',
  'Spalte »twice« kann nur auf DEFAULT aktualisiert werden',
  'la colonne « twice » peut seulement être mise à jour en DEFAULT',
  'la colonne «\u00a0twice\u00a0» peut seulement être mise à jour en DEFAULT',
  'la columna «twice» sólo puede actualizarse a DEFAULT',
])('a generated column is found in the text of a server of any language: %s', (message) => {
  const error = Object.assign(new DatabaseError(message, 0, 'error'), { code: '428C9' });
  expect(writtenField(error, collection as unknown as StoredCollection)).toBe('twice');
});
