import type { Fault } from './file-fault';

export type Path = readonly (string | number)[];

/** Plain data that says who gets what, from a file or from code. */
export interface AccessSource {
  readonly value: unknown;
  /** A fault at the position of a path, or at the nearest existing one. */
  fault(path: Path, reason: string): Fault;
}
