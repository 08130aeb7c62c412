import type { Fault } from './file-fault';

/** The position of a value in a source: `['policies', 'clerks', 'permissions', 0]`. */
export type Path = readonly (string | number)[];

/** Plain data that declares roles, policies and rules: parsed from a file, or given in code. */
export interface AccessSource {
  readonly value: unknown;
  /** Makes a fault at the position of a path, or at its nearest existing ancestor. */
  fault(path: Path, reason: string): Fault;
}
