import type { Cell, PathVariable, PolicyVerdict, RuleBook, Rights } from '../engine';
import type { Principal } from './principal';
import type { BookKey } from './rule-book';
import { weightOfCell } from './weights';

/** A cached principal, with the rights that were made from it. */
export interface CachedPrincipal {
  readonly principal: Principal;
  /** By the policies' verdicts. No older than the principal: where that is read for one request, so are these. */
  readonly rights: Map<string, RightsEntry>;
}

/** Rights that are loaded, or are being loaded. */
export interface RightsEntry {
  readonly loading: Promise<CachedRights>;
  /** Roughly how many bytes they use, once loaded. */
  weight: number;
}

/** Rights without their rules, which many callers share: rules are cached once, as long as there is room for them. */
export interface CachedRights {
  readonly rights: Omit<Rights, 'variables' | 'rules'>;
  readonly book: BookKey;
  /** The rules, where they must not be cached and were read for this request alone. */
  readonly rules: RuleBook | undefined;
  readonly values: ReadonlyMap<string, Cell>;
  /** Variables that lead beyond users and roles: read again for each request. */
  readonly fresh: readonly PathVariable[];
  readonly weight: number;
}

const OF_VERDICT = 200;

/** Roughly how many bytes a caller's cached rights use. */
export const weightOf = ({ principal, rights }: CachedPrincipal): number =>
  [...rights.values()].reduce((sum, { weight }) => sum + weight, principal.weight);

export function weightOfRights(
  policies: readonly PolicyVerdict[],
  values: ReadonlyMap<string, Cell>,
): number {
  const cells = [...values.values()].reduce<number>((sum, cell) => sum + weightOfCell(cell), 0);
  return OF_VERDICT * (1 + policies.length) + cells;
}
