import type { Json } from './access-state';

/** The id of a role or policy as a file writes it: `$ROLE(editors)`, `$POLICY(editing)`. */
export type Reference = `$ROLE(${string})` | `$POLICY(${string})`;

const REFERENCE = /^\$(?:ROLE|POLICY)\(.*\)$/s;

export const roleReference = (key: string): Reference => `$ROLE(${key})`;
export const policyReference = (key: string): Reference => `$POLICY(${key})`;
export const isReference = (text: string): text is Reference => REFERENCE.test(text);

/** Replaces texts anywhere in a filter or in presets, except names of members. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((member) => mapTexts(member, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapTexts(member, map)]),
  );
}

/** Every text in the value, with its path. */
export function textsIn(
  value: unknown,
  path: readonly (string | number)[] = [],
): { readonly text: string; readonly path: readonly (string | number)[] }[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (typeof value !== 'object' || value === null) return [];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return members.flatMap(([name, member]) => textsIn(member, [...path, name]));
}

interface Filters {
  readonly permissions?: unknown;
  readonly validation?: unknown;
  readonly presets?: unknown;
}

/** The first text of a rule that reads as a reference, with its path. */
export const likeReferenceIn = ({
  permissions,
  validation,
  presets,
}: Filters): ReturnType<typeof textsIn>[number] | undefined =>
  textsIn({ permissions, validation, presets }).find(({ text }) => isReference(text));

/** The path of a member named `__proto__`, which files refuse. */
export function protoIn(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const found =
      name === '__proto__' ? [...path, name].join('.') : protoIn(member, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Replaces known ids by references; other ids, which mean a row of this database, stay. */
export const withReferences = (json: Json, byId: ReadonlyMap<string, Reference>): Json =>
  mapTexts(json, (text) => byId.get(text.toLowerCase()) ?? text) as Json;

/**
 * Replaces references by ids.
 * @param idOf the id that a reference stands for
 */
export const withIds = (json: Json, idOf: (reference: Reference) => string): Json =>
  mapTexts(json, (text) => (isReference(text) ? idOf(text) : text)) as Json;
