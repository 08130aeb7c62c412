import { VERSION_NEUTRAL, type VersioningOptions, VersioningType } from '@nestjs/common';

/** The versions that a route answers, as Nest serves it. */
export interface RouteVersions {
  /** It answers requests of every version. */
  readonly every: boolean;
  /** `VERSION_NEUTRAL` stands for requests without a version. */
  readonly listed: readonly unknown[];
  /** Its paths begin with the version: `/v1`. */
  readonly inPath: boolean;
}

/**
 * @param declared by the route or its controller
 * @param versioning of the application; undefined where it has none, so that what is declared has no effect
 */
export function versionsOf(declared: unknown, versioning?: VersioningOptions): RouteVersions {
  if (!versioning) return { every: true, listed: [], inPath: false };
  const version = declared ?? versioning.defaultVersion ?? VERSION_NEUTRAL;
  const listed: readonly unknown[] = [version].flat();
  if (versioning.type === VersioningType.URI) {
    return { every: false, listed, inPath: !listed.includes(VERSION_NEUTRAL) };
  }
  return { every: version === VERSION_NEUTRAL, listed, inPath: false };
}

/** Whether some request is of a version of both. */
export const shareVersions = (one: RouteVersions, other: RouteVersions): boolean =>
  one.every || other.every || one.listed.some((version) => other.listed.includes(version));

/** Whether the first answers all versions of the second. */
export const takesVersions = (first: RouteVersions, second: RouteVersions): boolean =>
  first.every ||
  (!second.every && second.listed.every((version) => first.listed.includes(version)));
