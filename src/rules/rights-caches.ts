import { LoadCache } from '../common/load-cache';
import type { RuleBook } from '../engine';
import { type CachedPrincipal, weightOf } from './cached-rights';
import type { BookKey } from './rule-book';
import { rulesOf } from './rule-variables';
import { weightOfRule } from './weights';

/** Bytes that each cache may keep. */
const BYTES_FOR_PRINCIPALS = 32_000_000;
const BYTES_FOR_BOOKS = 64_000_000;

export type PrincipalCache = LoadCache<string | null, CachedPrincipal | undefined>;
export type BookCache = LoadCache<BookKey, RuleBook>;

/** Principals by their user; null is nobody. */
export const principalCache = (
  load: (user: string | null) => Promise<CachedPrincipal | undefined>,
  mayCache: () => boolean,
): PrincipalCache =>
  new LoadCache({
    nameOf: (user) => user ?? '',
    load,
    weigh: (cached) => (cached ? weightOf(cached) : 0),
    maxBytes: BYTES_FOR_PRINCIPALS,
    mayCache,
  });

/** The rules of each set of policies. */
export const bookCache = (
  load: (key: BookKey) => Promise<RuleBook>,
  mayCache: () => boolean,
): BookCache =>
  new LoadCache({
    nameOf: ({ name }) => name,
    load,
    weigh: (book) => rulesOf(book).reduce((sum, rule) => sum + weightOfRule(rule), 0),
    maxBytes: BYTES_FOR_BOOKS,
    mayCache,
  });
