import { randomBytes } from 'node:crypto';
import { Injectable, type StreamableFile } from '@nestjs/common';
import { BuiltPage } from '../../common/http/built-page';
import type { Exchange } from '../../common/http/exchange';
import { PAGE_HEADERS, pagePolicy } from '../../common/http/page-headers';
import { RouteNotFound } from '../../common/errors';
import { AppConfig } from '../../config/app-config';
import { ANSWER_TYPES } from '../answer-type';
import { GraphqlSchemas } from '../graphql-schemas';
import type { Endpoint } from '../operation';
import { itemsInitialQuery, NEUTRAL_INITIAL_QUERY, SYSTEM_INITIAL_QUERY } from './initial-queries';

/** The types that an endpoint can answer with; the first is the default. */
const ANSWERS = [...ANSWER_TYPES, 'text/html'];

/** The editor that a browser gets at an endpoint. */
@Injectable()
export class PlaygroundService {
  private readonly built = new BuiltPage('playground');

  constructor(
    private readonly config: AppConfig,
    private readonly schemas: GraphqlSchemas,
  ) {}

  /** Whether a browser requests the page. */
  isWanted({ request, response }: Exchange): boolean {
    if (!['GET', 'HEAD'].includes(request.method)) return false;
    response.vary('Accept');
    return this.config.graphqlPlayground && request.accepts(ANSWERS) === 'text/html';
  }

  /**
   * @param pathToRoot from the page to the prefix of the application's paths: `./`, `../`
   * @throws ServiceUnavailable where the page was not built
   */
  page(endpoint: Endpoint, pathToRoot: string, { response }: Exchange): string {
    const nonce = randomBytes(16).toString('base64');
    const data = {
      endpoint,
      nonce,
      'initial-query': this.initialQuery(endpoint),
      system: `${pathToRoot}graphql/system`,
    };
    const document = this.built.document(`${pathToRoot}playground/`);
    response.set(PAGE_HEADERS).set('Content-Security-Policy', policyOf(nonce));
    // A function, since the inserted text may contain `$&`.
    return document.replace('{{data}}', () => attributesOf(data));
  }

  private initialQuery(endpoint: Endpoint): string {
    if (!this.config.graphqlIntrospection) return NEUTRAL_INITIAL_QUERY;
    return endpoint === 'system'
      ? SYSTEM_INITIAL_QUERY
      : itemsInitialQuery(this.schemas.of('items'));
  }

  /** @throws RouteNotFound for any file that the page does not load, and where there is no page */
  file(name: string, exchange: Exchange): StreamableFile {
    if (this.config.graphqlPlayground) return this.built.file(name, exchange);
    throw new RouteNotFound({ path: exchange.request.path });
  }
}

/** Its fonts are in its style sheet; its dialogs add a style of their own, which has the nonce. */
const policyOf = (nonce: string): string =>
  pagePolicy({ 'style-src': `'self' 'nonce-${nonce}'`, 'font-src': 'data:' });

const attributesOf = (data: Readonly<Record<string, string>>): string =>
  Object.entries(data)
    .map(([name, value]) => `data-${name}="${escaped(value)}"`)
    .join(' ');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
