import type { Cell, PathVariable, PolicyVerdict, RuleBook, Rights } from '../engine';
import type { Principal } from './principal';
import type { BookKey } from './rule-book';
import { weightOfCell } from './weights';

export interface CachedPrincipal {
  readonly principal: Principal;
  /** By the policies' verdicts. No older than the principal: read for one request, they are fresh for it as well. */
  readonly rights: Map<string, RightsEntry>;
}

export interface RightsEntry {
  readonly loading: Promise<CachedRights>;
  /** About how many bytes they keep, once they are loaded. */
  weight: number;
}

/** Without its rules, which many have in common: they are cached once, and for as long as there is room for them. */
export interface CachedRights {
  readonly rights: Omit<Rights, 'variables' | 'rules'>;
  readonly book: BookKey;
  /** The rules, where they may not be cached and were read for this request alone. */
  readonly rules: RuleBook | undefined;
  readonly values: ReadonlyMap<string, Cell>;
  /** Variables that lead beyond users and roles: read anew for each request. */
  readonly fresh: readonly PathVariable[];
  readonly weight: number;
}

const OF_VERDICT = 200;

/** About how many bytes somebody's rights keep. */
export const weightOf = ({ principal, rights }: CachedPrincipal): number =>
  [...rights.values()].reduce((sum, { weight }) => sum + weight, principal.weight);

export function weightOfRights(
  policies: readonly PolicyVerdict[],
  values: ReadonlyMap<string, Cell>,
): number {
  const cells = [...values.values()].reduce<number>((sum, cell) => sum + weightOfCell(cell), 0);
  return OF_VERDICT * (1 + policies.length) + cells;
}
