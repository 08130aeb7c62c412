import type { Caller, Decision } from '../../engine';
import { Forbidden } from '../../common/errors';
import {
  isPlain,
  parseAnswerQuery,
  parseItemQuery,
  parseListQuery,
  parsePage,
} from '../query/parse-query';
import { withoutEmpty } from '../query/parameters';
import { asQueryError } from '../query/query-error';
import type { ListQuery, RawQuery } from '../query/query';
import type { QueryLimits, QuerySetting } from '../query/query-setting';
import { settingFor } from './caller-reader';
import { type Exception, exceptionSetting } from './exception';

export interface ParsedQuery {
  readonly query: ListQuery;
  /** The decision that the query follows from, where it says nothing but how many rows or which. */
  readonly plain?: Decision;
}

/** Reads the queries that are sent for one collection, each with what its caller may name. */
export class QueryReader {
  private readonly plainQueries = new WeakMap<Decision, ListQuery>();

  constructor(
    private readonly collection: string,
    private readonly limits: QueryLimits,
  ) {}

  parse<T>(
    caller: Caller,
    raw: RawQuery,
    parse: (raw: RawQuery, collection: string, setting: QuerySetting) => T,
    exception?: Exception,
  ): T {
    const setting = exception
      ? exceptionSetting(caller, exception, this.limits)
      : settingFor(caller, this.limits);
    return asQueryError(caller.readable, () => parse(raw, this.collection, setting));
  }

  list(caller: Caller, raw: RawQuery): ParsedQuery {
    if (!isPlain(raw)) return { query: this.parse(caller, raw, parseListQuery) };
    const { query, plain } = this.plainQuery(caller);
    const page = asQueryError(caller.readable, () => parsePage(raw, this.limits));
    return { query: { ...query, ...page }, ...(page.offset === 0 && { plain }) };
  }

  item(caller: Caller, sent: RawQuery, exception?: Exception): ParsedQuery {
    const raw = withoutEmpty(sent);
    const isSilent = Object.keys(raw).length === 0;
    if (isSilent && !exception) return this.plainQuery(caller);
    return { query: this.parse(caller, raw, parseItemQuery, exception) };
  }

  /**
   * How a write is answered: by all that was written, unless the query says less.
   * @returns null where nothing is to be shown
   */
  answer(caller: Caller, sent: RawQuery, exception?: Exception): ListQuery | null {
    const raw = withoutEmpty(sent);
    const reader = exception?.item ?? caller;
    if (!reader.may('read', this.collection) && raw['fields'] === undefined) return null;
    const query = this.parse(caller, raw, parseAnswerQuery, exception);
    return raw['limit'] === undefined ? { ...query, limit: null } : query;
  }

  /** Where nothing is said, what is read follows from the decision alone. */
  private plainQuery(caller: Caller): Required<ParsedQuery> {
    const plain = caller.decide(this.collection, 'read');
    if (!plain) throw new Forbidden({});
    const query = this.plainQueries.get(plain) ?? this.parse(caller, {}, parseItemQuery);
    this.plainQueries.set(plain, query);
    return { query, plain };
  }
}
