import type { Random } from './random';

/** Part of texts that are sent as values and not as names: a refusal never repeats it. */
export const CANARY = 'zqx7';

/** Arguments and fields whose values are names, which answers may repeat. */
export const NAMING: readonly string[] = ['sort', 'groupBy', 'fields', 'collection'];

const TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfff',
  '\u202egnirts\u202c',
  'مرحبا',
  '\ufeff',
  '𝒳'.repeat(40),
  '\r\nX-Injected: yes',
  '%',
  '%00',
  '%2e%2e%2f',
  '%F0%9F',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'undefined',
  'null',
  'NaN',
  '-0',
  '1e999',
  '0x10',
  'Infinity',
  '-1',
  '9007199254740993',
  '9'.repeat(400),
  '1.' + '3'.repeat(300),
  '2024-02-30',
  '2024-13-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '294277-01-01T00:00:00Z',
  '25:61:61',
  '00000000-0000-0000-0000-000000000000',
  '{00000000-0000-0000-0000-000000000000}',
  '$CURRENT_USER',
  '$CURRENT_USER.password',
  '$CURRENT_USER.role.name',
  '$CURRENT_USER.__proto__.x',
  '$CURRENT_ROLE',
  '$CURRENT_ROLES',
  '$CURRENT_POLICIES',
  '$NOW',
  '$NOW(-1 day)',
  '$NOW(99999 years)',
  '$NOW(1 fortnight)',
  '$CURRENT_',
  "'",
  '"; DROP TABLE service_users; --',
  "' OR '1'='1",
  '%_\\',
  '\\',
  '$1',
  '{}',
  '[]',
  '[object Object]',
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}',
  '../../etc/passwd',
  '(a+)+$',
  '*',
  '*.*.*.*.*.*.*.*',
  '.',
  '..',
  'a.b.c',
  '-',
  ',',
  ',,,',
  'year(date_created)',
  'count(policies)',
  'year(',
  'x'.repeat(256),
];

export const oddText = (random: Random): string =>
  random.way([
    [80, () => random.pick(TEXTS)],
    [10, () => random.pick(TEXTS) + random.pick(TEXTS)],
    [9, () => random.times(1 + random.int(20), () => oddCharacter(random)).join('')],
    [1, () => random.pick(['x', '\u0000', 'é', '%', '$CURRENT_USER.', '{"a":']).repeat(20_000)],
  ]);

/** A text that is a value, never a name. */
export const secretText = (random: Random): string => CANARY + oddText(random);

const oddCharacter = (random: Random): string =>
  String.fromCharCode(random.chance(0.7) ? random.int(0x80) : random.int(0x1_0000));

/** Inserted into JSON text unchanged, for numbers that no JavaScript value has. */
const RAW = /"@raw (.*?)@"/g;
/** Too precise for a JavaScript number: parsed as one it becomes the next even number, which is never sent. */
export const FINE_NUMBER = '9007199254740995';
export const ROUNDED_NUMBER = '9007199254740996';
/** The mask of concealed fields. */
export const MASK = '**********';

const RAW_NUMBERS = [
  FINE_NUMBER,
  '1e999',
  '-1e999',
  '1e-999',
  '123456789012345678901234567890',
  '-0.0',
  '1.0',
];
/** Invalid JSON. */
const RAW_FAULTS = ['NaN', 'Infinity', '01', "'a'", '{"a":1,}', '', '\ufeff{}', '"\\u12"', '0x1f'];

const NUMBERS = [0, -0, 1, -1, 0.1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 1e308, 5e-324];

export const oddNumber = (random: Random): unknown =>
  random.way<unknown>([
    [8, () => random.pick(NUMBERS)],
    [2, () => `@raw ${random.pick(RAW_NUMBERS)}@`],
  ]);

/** Any JSON value. */
export function oddValue(random: Random, depth = 3): unknown {
  const inner = (): unknown => oddValue(random, depth - 1);
  return random.way<unknown>([
    [30, () => oddText(random)],
    [15, () => oddNumber(random)],
    [15, () => random.pick([null, true, false])],
    [depth > 0 ? 12 : 0, () => random.times(random.int(4), inner)],
    [
      depth > 0 ? 20 : 0,
      () => Object.fromEntries(random.times(random.int(4), () => [oddKey(random), inner()])),
    ],
    [2, () => nested(random, random.pick([40, 120, 3000, 20_000]))],
    [1, () => random.times(random.pick([200, 11_000]), () => 1)],
    [0.2, () => `@raw ${random.pick(RAW_FAULTS)}@`],
  ]);
}

const KEYS = [
  '__proto__',
  'constructor',
  '_and',
  '_or',
  '_eq',
  '_some',
  '_none',
  'id',
  '',
  '0',
  '-1',
  'length',
];

const oddKey = (random: Random): string =>
  random.chance(0.7) ? random.pick(KEYS) : oddText(random).slice(0, 300);

const NESTS = [
  ['[', ']'],
  ['{"a":', '}'],
  ['{"_and":[', ']}'],
  ['{"role":', '}'],
  ['{"parent":', '}'],
  ['{"create":[', ']}'],
] as const;

/** Deeply nested objects, lists or filters, as text, since recursion would exceed the stack. */
function nested(random: Random, depth: number): unknown {
  const [open, close] = random.pick(NESTS);
  return `@raw ${open.repeat(depth)}{}${close.repeat(depth)}@`;
}

/** The JSON text of a value, with its raw parts inserted. */
export const jsonOf = (value: unknown): string => withRaw(JSON.stringify(value) ?? 'null');

/** Inserts raw parts into JSON text. */
export const withRaw = (text: string): string =>
  text.replace(RAW, (_, raw: string) => JSON.parse(`"${raw}"`) as string);

/** Replaces some part of a value by something odd, or removes it. */
export function corrupted(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.2)) {
    return random.chance(0.15) ? [value] : oddValue(random);
  }
  if (Array.isArray(value)) return corruptedList(value, random);
  const entries = Object.entries(value);
  const at = random.int(entries.length + 1);
  const entry = entries[at];
  if (!entry) return Object.fromEntries([...entries, [oddKey(random), oddValue(random)]]);
  const [name, member] = entry;
  const others = entries.filter((_, index) => index !== at);
  return random.way<unknown>([
    [6, () => Object.fromEntries(entries.toSpliced(at, 1, [name, corrupted(member, random)]))],
    [1, () => Object.fromEntries(others)],
    [1, () => Object.fromEntries([...others, [oddKey(random), member]])],
  ]);
}

function corruptedList(list: readonly unknown[], random: Random): unknown {
  const at = random.int(list.length + 1);
  return random.way<unknown>([
    [5, () => list.toSpliced(at, 1, corrupted(list[at], random))],
    [1, () => [...list, ...list]],
    [1, () => Object.fromEntries(list.entries())],
    [1, () => list[0]],
  ]);
}
