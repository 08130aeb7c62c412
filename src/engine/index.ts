export * from './access-fault';
export * from './filter/bind-filter';
export * from './filter/evaluate-filter';
export * from './filter/filter';
export * from './filter/filter-size';
export * from './filter/functions';
export * from './filter/operators';
export * from './filter/filter-setting';
export * from './filter/parse-filter';
export {
  cachedPrograms,
  isLinearPattern,
  LINEAR_PATTERN,
  MAX_STEPS,
  matchesPattern,
} from './filter/regex';
export { searchesText } from './filter/text-search';
export * from './filter/variables';
export * from './identity';
export * from './memoize';
export * from './rights';
export * from './rules/built-in-rule';
export * from './rules/decide';
export * from './rules/decision';
export * from './rules/explain';
export * from './rules/rule';
export { rangeOf, storedDecimal } from './schema/parse-number';
export * from './schema/parse-time';
export * from './schema/parse-value';
export type { ColumnType, Misfit, Parsed } from './schema/parsed';
export * from './schema/schema';
export * from './schema/value';
export * from './caller';
