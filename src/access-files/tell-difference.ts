import type { Difference } from './access-files.service';
import type { Change } from './compare';

const SIGNS = { create: '+', update: '~', delete: '-' } as const;
const COLOURS = { create: '\u001B[32m', update: '\u001B[33m', delete: '\u001B[31m' } as const;
const PLAIN = '\u001B[0m';
/** What a terminal would take for more than text, and JSON leaves as it is. */
const CONTROLS = /[\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;
const HEX = 16;
const DIGITS = 4;

/** A line or more for each change, the sign first: `+` is only in the file, `-` only in the database. */
export function tellChanges(changes: readonly Change[], colours: boolean): string[] {
  return changes.flatMap((change) => {
    const lines = [`${SIGNS[change.action]} ${titleOf(change)}`, ...membersOf(change)];
    return colours ? lines.map((line) => `${COLOURS[change.action]}${line}${PLAIN}`) : lines;
  });
}

function titleOf(change: Change): string {
  switch (change.kind) {
    case 'role':
    case 'policy':
      return `${change.kind} ${change.key}`;
    case 'rule':
      return `rule of policy ${change.policy}: ${printable(change.key)}`;
    case 'grant':
      return `policy ${change.policy} for ${change.role === null ? 'everyone' : `role ${change.role}`}`;
  }
}

function membersOf({ action, from, to, fields }: Change): string[] {
  if (action === 'update') {
    return fields.map((name) => `    ${name}: ${valueOf(from, name)} → ${valueOf(to, name)}`);
  }
  return Object.entries(to ?? from ?? {})
    .filter(([name, value]) => !TITLED.includes(name) && !isNone(value))
    .map(([name, value]) => `    ${name}: ${printable(JSON.stringify(value))}`);
}

/** In the title already. */
const TITLED: readonly string[] = ['collection', 'action'];

const isNone = (value: unknown): boolean =>
  value === null ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const valueOf = (fields: object | undefined, name: string): string =>
  printable(JSON.stringify((fields as Record<string, unknown> | undefined)?.[name] ?? null));

const printable = (text: string): string =>
  text.replace(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(HEX).padStart(DIGITS, '0')}`,
  );

/** How many of each there are: `1 to create, 2 to change, 0 to delete`. */
export function countChanges(changes: readonly Change[]): string {
  const count = (action: Change['action']): number =>
    changes.filter((change) => change.action === action).length;
  return `${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete`;
}

/** For programs. Of the changes those that are `due` are applied, or would be; only they are drift. */
export const jsonOf = ({ changes, due, notes }: Difference, applied: boolean): string => {
  const told = changes.map((change) => {
    // The id of a row says nothing of what it is, and is another in each database.
    return { ...change, id: undefined, due: due.includes(change) };
  });
  return JSON.stringify({ drift: due.length > 0, applied, changes: told, notes }, null, 2);
};
