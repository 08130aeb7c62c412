import { Injectable, type PipeTransform, Query } from '@nestjs/common';
import { isToken } from '../common/request/declared-query';
import { AppConfig } from '../config/app-config';
import { QUERY_PARAMETERS } from '../repository/query/parameters';
import type { RawQuery } from '../repository/query/query';

/** With `QUERY_UNKNOWN=ignore` unknown parameters are removed; otherwise they stay, and are refused. */
@Injectable()
class KnownParameters implements PipeTransform<RawQuery, RawQuery> {
  private readonly ignores: boolean;

  constructor({ queryUnknown }: AppConfig) {
    this.ignores = queryUnknown === 'ignore';
  }

  transform(sent: RawQuery): RawQuery {
    return this.ignores ? Object.fromEntries(Object.entries(sent).filter(isKnownParameter)) : sent;
  }
}

const isKnownParameter = ([name]: [string, unknown]): boolean =>
  QUERY_PARAMETERS.has(name) || isToken(name);

/**
 * A parameter decorator: the query string of a route that reads items. Under `QUERY_UNKNOWN=ignore` unknown parameters
 * are left out; otherwise they stay, and the read refuses them.
 *
 *     list(@CurrentCaller() caller: Caller, @ReadQuery() query: RawQuery)
 */
export const ReadQuery = (): ParameterDecorator => Query(KnownParameters);
