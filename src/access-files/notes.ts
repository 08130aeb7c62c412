import type { Queries } from '../database';
import type { AccessState } from './access-state';
import type { Change, StoredAccess } from './compare';
import { isUuid } from '../engine';
import { textsIn } from './references';

/**
 * Count the users who would be affected: those with the role, or who hold the policy themselves, through their role or
 * one above it, or as everyone does.
 */
const HOLDERS = {
  role: 'SELECT count(*)::int4 AS users FROM service_users WHERE role = $1::uuid',
  policy: `
    WITH RECURSIVE granted AS (
      SELECT "user", role FROM service_access
      WHERE policy = $1::uuid AND (expires_at IS NULL OR expires_at > now())
    ),
    assigned(role) AS (
      SELECT role FROM granted WHERE role IS NOT NULL
      UNION
      SELECT role.id FROM assigned JOIN service_roles role ON role.parent = assigned.role
    )
    SELECT CASE WHEN EXISTS (SELECT FROM granted WHERE "user" IS NULL AND role IS NULL)
      THEN (SELECT count(*) FROM service_users)
      ELSE (SELECT count(*) FROM (
        SELECT "user" FROM granted WHERE "user" IS NOT NULL
        UNION SELECT account.id FROM service_users account JOIN assigned ON assigned.role = account.role
      ) holder)
    END::int4 AS users`,
} as const;

type Kind = keyof typeof HOLDERS;

/** Warnings about ids in filters and presets: another database does not have these rows. */
export const idsLeftIn = ({ policies }: AccessState): string[] =>
  [...policies].flatMap(([key, { rules }]) =>
    rules.flatMap(({ collection, action, permissions, validation, presets }) =>
      textsIn({ permissions, validation, presets })
        .filter(({ text }) => isUuid(text))
        .map(
          ({ text, path }) =>
            `policy ${key}, ${action} ${collection}: ${path.join('.')} holds the id ${text}, which another database may not have`,
        ),
    ),
  );

/**
 * Notes on roles and policies that were found by name since they have no key yet, and on those that are deleted, each with the
 * number of users who have it.
 */
export async function notesOn(
  due: readonly Change[],
  { roles, policies }: AccessState,
  { keyless, roleIds, policyIds }: StoredAccess,
  queries: Queries,
): Promise<string[]> {
  const holders = async (kind: Kind, key: string): Promise<string> => {
    const id = (kind === 'role' ? roleIds : policyIds).get(key);
    const [row] = await queries.query<{ users: number }>(HOLDERS[kind], [id]);
    return row?.users === 1 ? '1 user has it' : `${row?.users ?? 0} users have it`;
  };
  const found = [
    ...keyless.roles.filter((key) => roles.has(key)).map((key) => ['role', key] as const),
    ...keyless.policies.filter((key) => policies.has(key)).map((key) => ['policy', key] as const),
  ];
  const notes: string[] = [];
  for (const [kind, key] of found) {
    notes.push(
      `${kind} ${key} was found by its name, since it has no key yet; ${await holders(kind, key)}`,
    );
  }
  for (const { kind, action, key } of due) {
    if (action !== 'delete' || (kind !== 'role' && kind !== 'policy')) continue;
    notes.push(`${kind} ${key} goes; ${await holders(kind, key)}`);
  }
  return notes;
}
