import type { Caller, Decision } from '../../engine';
import { Forbidden } from '../../common/errors';
import { parsePage, parseShape } from '../query/parse-page';
import {
  isLimited,
  parseAnswerQuery,
  parseItemQuery,
  parseListQuery,
  refuseListParameters,
} from '../query/parse-query';
import { isPlainItem, isPlainList, isSilent, plainFields } from '../query/plain-parameters';
import { withoutEmpty } from '../query/parameters';
import { FieldSelection, type AnswerCheck } from '../query/field-selection';
import { asQueryError } from '../query/query-error';
import type { ListQuery, RawQuery } from '../query/query';
import type { QueryLimits, QuerySetting } from '../query/query-setting';
import { settingFor } from './caller-reader';
import { type AdditionalGrants, settingWithGrants } from './additional-grants';
import { type CacheKeyParts, cacheKeyText, plainQueries } from './plain-queries';

export interface ParsedQuery {
  readonly query: ListQuery;
  /** Where the query sets nothing but fields, limit or keys. */
  readonly cacheKey?: CacheKeyParts;
  /** Checks the answer of a write before the commit. */
  readonly checkAnswer?: AnswerCheck | undefined;
}

/** Parses the queries for one collection, each with what its caller may name. */
export class QueryReader {
  private readonly defaultQueries = new WeakMap<Decision, ListQuery>();

  constructor(
    private readonly collection: string,
    private readonly limits: QueryLimits,
  ) {}

  parse<T>(
    caller: Caller,
    raw: RawQuery,
    parse: (raw: RawQuery, collection: string, setting: QuerySetting) => T,
    grants?: AdditionalGrants,
  ): T {
    const setting = grants
      ? settingWithGrants(caller, grants, this.limits)
      : settingFor(caller, this.limits);
    return asQueryError(caller.readable, () => parse(raw, this.collection, setting));
  }

  list(caller: Caller, raw: RawQuery): ParsedQuery {
    const fields = isPlainList(raw) ? plainFields(raw) : undefined;
    if (fields === undefined) return { query: this.parse(caller, raw, parseListQuery) };
    const { query, cacheKey } = this.plainQuery(caller, raw, fields);
    const page = asQueryError(caller.readable, () => parsePage(raw, this.limits));
    return { query: { ...query, ...page }, ...(page.offset === 0 && cacheKey && { cacheKey }) };
  }

  item(caller: Caller, sent: RawQuery, grants?: AdditionalGrants): ParsedQuery {
    const raw = withoutEmpty(sent);
    const fields = !grants && isPlainItem(raw) ? plainFields(raw) : undefined;
    if (fields !== undefined) return this.plainQuery(caller, raw, fields);
    return { query: this.parse(caller, raw, parseItemQuery, grants) };
  }

  /**
   * How a write is answered: with all written rows, unless the query restricts them.
   * @returns null where nothing is to be shown
   */
  answer(caller: Caller, sent: RawQuery, grants?: AdditionalGrants): ParsedQuery | null {
    const raw = withoutEmpty(sent);
    const reader = grants?.item ?? caller;
    const reads = reader.may('read', this.collection);
    if (!reads && isSilent(raw)) {
      asQueryError(caller.readable, () => parseShape(raw, this.limits));
      return null;
    }
    const fields = reads && !grants && isPlainItem(raw) ? plainFields(raw) : undefined;
    if (fields !== undefined) {
      const known = this.plainQuery(caller, raw, fields);
      return { ...known, query: { ...known.query, limit: null }, checkAnswer: checkOf(raw) };
    }
    const query = this.parse(caller, raw, parseAnswerQuery, grants);
    const all = isLimited(raw) ? query : { ...query, limit: null };
    return { query: all, checkAnswer: checkOf(raw) };
  }

  /** The same for a write of one item, which is shown whole: no parameter chooses rows. */
  itemAnswer(caller: Caller, raw: RawQuery, grants?: AdditionalGrants): ParsedQuery | null {
    asQueryError(caller.readable, () => refuseListParameters(withoutEmpty(raw)));
    return this.answer(caller, raw, grants);
  }

  private plainQuery(caller: Caller, { fields: sent }: RawQuery, fields: string): ParsedQuery {
    const decision = caller.decide('read', this.collection);
    if (!decision) throw new Forbidden({});
    const cacheKey = { decision, fields };
    if (fields === '') return { query: this.defaultQuery(caller, decision), cacheKey };
    const name = cacheKeyText(cacheKey);
    const known = name === undefined ? undefined : plainQueries.get(name);
    if (known) return { query: known, cacheKey };
    const query = this.parse(caller, { fields: sent }, parseItemQuery);
    // A name may be that of a list, whose keys are read by their own statements.
    if (query.relations.length > 0) return { query };
    if (name !== undefined) plainQueries.set(name, query);
    return { query, cacheKey };
  }

  private defaultQuery(caller: Caller, decision: Decision): ListQuery {
    const cached = this.defaultQueries.get(decision);
    if (cached) return cached;
    const query = this.parse(caller, {}, parseItemQuery);
    this.defaultQueries.set(decision, query);
    return query;
  }
}

const checkOf = ({ fields }: RawQuery): AnswerCheck | undefined =>
  fields instanceof FieldSelection ? fields.checkAnswer : undefined;
