import type { Difference } from './access-files.service';
import { isDefault } from './canonical';
import type { Change } from './compare';

const SIGNS = { create: '+', update: '~', delete: '-' } as const;
const COLOURS = { create: '\u001B[32m', update: '\u001B[33m', delete: '\u001B[31m' } as const;
const PLAIN = '\u001B[0m';
/** Characters that a terminal may interpret and that JSON does not escape. */
const CONTROLS = /[\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;
const HEX = 16;
const DIGITS = 4;

/**
 * One or more lines for each change, the sign first: `+` is only in the file, `-` only in the database, `~` differs.
 */
export function formatChanges(
  changes: readonly Change[],
  { colours }: { readonly colours: boolean },
): string[] {
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
    .filter(([name, value]) => !TITLED.includes(name) && !isDefault(value))
    .map(([name, value]) => `    ${name}: ${printable(JSON.stringify(value))}`);
}

/** Shown in the title already. */
const TITLED: readonly string[] = ['collection', 'action'];

const valueOf = (fields: object | undefined, name: string): string =>
  printable(JSON.stringify((fields as Record<string, unknown> | undefined)?.[name] ?? null));

const printable = (text: string): string =>
  text.replace(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(HEX).padStart(DIGITS, '0')}`,
  );

/** Counts changes by action: `1 to create, 2 to change, 0 to delete`. */
export function countChanges(changes: readonly Change[]): string {
  const count = (action: Change['action']): number =>
    changes.filter((change) => change.action === action).length;
  return `${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete`;
}

/** The difference as JSON, for programs. Only changes that are `due` were applied or would be, and count as drift. */
export const jsonOf = (
  { changes, due, notes }: Difference,
  { applied }: { readonly applied: boolean },
): string => {
  const shown = changes.map((change) => {
    // The id says nothing about the row, and differs between databases.
    return { ...change, id: undefined, due: due.includes(change) };
  });
  return JSON.stringify({ drift: due.length > 0, applied, changes: shown, notes }, null, 2);
};
