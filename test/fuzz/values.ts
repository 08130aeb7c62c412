import { type FieldShape, isStored, type StoredField } from '../../src/engine';
import { CANARY, FINE_NUMBER, MASK, NAMING, oddNumber, oddText, oddValue, secretText } from './odd';
import type { Random } from './random';
import type { Surface } from './surface';

const VARIABLES = [
  '$CURRENT_USER',
  '$CURRENT_ROLE',
  '$CURRENT_ROLES',
  '$CURRENT_USER.role',
  '$CURRENT_USER.email',
  '$NOW',
  '$NOW(+2 months)',
];

const TIMESTAMPS = [
  ...['2024-02-29T12:00:00Z', '1999-12-31T23:59:59.999+02:00', '2024-02-29', '2024-02-29T12:00'],
  ...['9999-12-31T23:59:59.999999999', '0001-01-01T00:00+23:59', '2023-02-29', '2024-02-29T24:00'],
];

/** The key of a stored or of a missing row. */
export function keyOf(collection: string, { keys }: Surface, random: Random): string {
  const stored = keys.get(collection) ?? [];
  if (stored.length > 0 && random.chance(0.85)) return random.pick(stored);
  return random.pick([
    '8e7c4f0a-9b1d-4c39-8a52-6f0e2d3b4a51',
    '1',
    '999999',
    ...[...keys.values()].flat(),
  ]);
}

/** A value that the column can hold. */
function plausible(field: StoredField, surface: Surface, random: Random): unknown {
  if (field.kind === 'to-one') return keyOf(field.target, surface, random);
  switch (field.type) {
    case 'integer':
    case 'bigint':
      return random.pick<unknown>([0, 1, 7, -3, '12', 2_147_483_647]);
    case 'decimal':
    case 'double':
      return random.pick<unknown>([0, 1.5, '3.25', -7, '99.99']);
    case 'boolean':
      return random.chance(0.5);
    case 'text':
      return textFor(field.name, random);
    case 'enum':
      return random.pick(field.choices ?? ['']);
    case 'uuid':
      return keyOf(random.pick([...surface.keys.keys()]), surface, random);
    case 'date':
      return random.pick(['2024-02-29', '1999-12-31']);
    case 'time':
      return random.pick(['12:30:00', '23:59:59.999', '12:30', '12:30:00.123456789']);
    case 'timestamp':
      return random.pick(TIMESTAMPS);
    case 'json':
      return random.pick<unknown>([
        {},
        [],
        { a: [1, { b: null }] },
        'text',
        { a: [`@raw ${FINE_NUMBER}@`] },
      ]);
    case 'array':
      return random.pick<unknown>([[], ['a', 'b'], ['*']]);
  }
}

function textFor(name: string, random: Random): string {
  if (name === 'email') return `${CANARY}${random.int(1000)}@example.com`;
  if (name === 'collection') return random.pick(['service_users', 'fuzz_things', 'service_none']);
  return `${CANARY} ${random.pick(['Ann', 'x'.repeat(random.int(300)), 'é', '%_', "O'Neill"])}`;
}

/** Mostly a valid value, sometimes an invalid one. */
function valueFor(field: FieldShape, surface: Surface, random: Random): unknown {
  return random.way<unknown>([
    [
      15,
      () =>
        isStored(field) ? plausible(field, surface, random) : relationFor(field, surface, random),
    ],
    [1, () => null],
    [field.concealed ? 5 : 0, () => MASK],
    [1, () => oddText(random)],
    [NAMING.includes(field.name) ? 0 : 1, () => secretText(random)],
    [1, () => oddNumber(random)],
    [2, () => oddValue(random)],
    [1, () => random.pick(VARIABLES)],
  ]);
}

/** The operand of an operator in a filter. */
export function operandFor(field: StoredField, surface: Surface, random: Random): unknown {
  return random.way<unknown>([
    [8, () => plausible(field, surface, random)],
    [2, () => random.pick(VARIABLES)],
    [1, () => oddText(random)],
    [1, () => secretText(random)],
    [1, () => oddNumber(random)],
    [1, () => oddValue(random)],
  ]);
}

function relationFor(
  field: FieldShape & { kind: 'to-many' },
  surface: Surface,
  random: Random,
): unknown {
  const key = (): string => keyOf(field.target, surface, random);
  const item = (): object => payloadFor(field.target, surface, random, 2);
  return random.way<unknown>([
    [4, () => random.times(random.int(3), key)],
    [1, () => random.times(random.int(3), item)],
    [1, () => random.times(random.int(3), () => ({ ...item(), id: key() }))],
    [2, () => ({ create: [item()], update: [{ ...item(), id: key() }], delete: [key()] })],
  ]);
}

/** A key that exists, the next one that would be generated, or one at the end of the range. */
function sentKey(collection: string, surface: Surface, random: Random): unknown {
  return random.way<unknown>([
    [3, () => keyOf(collection, surface, random)],
    [3, () => (surface.keys.get(collection) ?? []).length + 1 + random.int(3)],
    [1, () => random.pick<unknown>(BORDERS)],
    [1, () => oddValue(random)],
  ]);
}

const BORDERS = [2_147_483_647, 2_147_483_646, -2_147_483_648, 0, -1, 10_003, 10_004, '2147483648'];

/** The payload of an item: some of its fields, and sometimes its key. */
export function payloadFor(
  collection: string,
  surface: Surface,
  random: Random,
  most = 5,
): Record<string, unknown> {
  const shape = surface.shapes.get(collection);
  const fields = [...(shape?.fields.values() ?? [])].filter(({ name }) => name !== shape?.key);
  const cells = random
    .some(fields, most)
    .map((field): [string, unknown] => [field.name, valueFor(field, surface, random)]);
  if (shape && random.chance(0.1)) cells.push([shape.key, sentKey(collection, surface, random)]);
  return Object.fromEntries(cells);
}
