import type { Reply, TestClient } from '../../../src/testing/clients';

export type TransportName = 'REST' | 'GraphQL';
/** The key of a row. */
export type Key = string | number;
type Rows = Record<string, unknown>[];

/** An answer over REST or GraphQL: the data, or the codes of the errors. */
export interface Answer {
  readonly data?: unknown;
  readonly codes: readonly string[];
}

/** The same requests over REST or GraphQL. Fields are paths, as `lines.amount`. */
export interface Transport {
  list(collection: string, query: Query, fields: readonly string[]): Promise<Answer>;
  one(collection: string, key: Key, fields: readonly string[]): Promise<Answer>;
  create(collection: string, payload: object, fields: readonly string[]): Promise<Answer>;
  update(collection: string, key: Key, payload: object, fields: readonly string[]): Promise<Answer>;
  remove(collection: string, key: Key): Promise<Answer>;
  readSingleton(collection: string, fields: readonly string[]): Promise<Answer>;
  updateSingleton(collection: string, payload: object, fields: readonly string[]): Promise<Answer>;
  /** The module's own operation. */
  issue(invoice: Key): Promise<Answer>;
}

interface Query {
  readonly filter?: object;
  readonly sort?: readonly string[];
}

export const transportOf = (name: TransportName, client: TestClient): Transport =>
  name === 'REST' ? restTransport(client) : graphqlTransport(client);

const answerOf = ({ data, codes }: Reply<unknown>): Answer =>
  codes.length > 0 ? { codes } : { data, codes };

function restTransport(client: TestClient): Transport {
  const ask = async (method: string, path: string, body?: object): Promise<Answer> =>
    answerOf(await client.send<unknown>(method, path, body));
  const shown = (fields: readonly string[]): string => `fields=${fields.join(',')}`;
  const items = (collection: string, key?: Key): string =>
    `/items/${collection}${key === undefined ? '' : `/${key}`}`;
  return {
    list: (collection, { filter = {}, sort = [] }, fields) =>
      ask(
        'GET',
        `${items(collection)}?${shown(fields)}&sort=${sort.join(',')}&filter=${encodeURIComponent(JSON.stringify(filter))}`,
      ),
    one: (collection, key, fields) => ask('GET', `${items(collection, key)}?${shown(fields)}`),
    create: (collection, payload, fields) =>
      ask('POST', `${items(collection)}?${shown(fields)}`, payload),
    update: (collection, key, payload, fields) =>
      ask('PATCH', `${items(collection, key)}?${shown(fields)}`, payload),
    remove: (collection, key) => ask('DELETE', items(collection, key)),
    readSingleton: (collection, fields) => ask('GET', `${items(collection)}?${shown(fields)}`),
    updateSingleton: (collection, payload, fields) =>
      ask('PATCH', `${items(collection)}?${shown(fields)}`, payload),
    issue: (invoice) => ask('POST', `/invoices/${invoice}/issue`),
  };
}

function graphqlTransport(client: TestClient): Transport {
  const ask = async (kind: 'query' | 'mutation', field: string): Promise<Answer> => {
    const { data, codes } = answerOf(await client.graphql<unknown>(`${kind} { answer: ${field} }`));
    return codes.length > 0
      ? { codes }
      : { data: (data as Record<string, unknown>)['answer'], codes };
  };
  return {
    list: (collection, { filter = {}, sort = [] }, fields) =>
      ask(
        'query',
        `${collection}(filter: ${literal(filter)}, sort: ${literal(sort)}) ${selection(fields)}`,
      ),
    one: (collection, key, fields) =>
      ask('query', `${collection}_by_id(id: ${literal(key)}) ${selection(fields)}`),
    create: (collection, payload, fields) =>
      ask('mutation', `create_${collection}_item(data: ${literal(payload)}) ${selection(fields)}`),
    update: (collection, key, payload, fields) =>
      ask(
        'mutation',
        `update_${collection}_item(id: ${literal(key)}, data: ${literal(payload)}) ${selection(fields)}`,
      ),
    remove: async (collection, key) => {
      const { codes } = await ask(
        'mutation',
        `delete_${collection}_item(id: ${literal(key)}) { id }`,
      );
      // Over REST the answer to a delete has no data.
      return codes.length > 0 ? { codes } : { data: {}, codes };
    },
    readSingleton: (collection, fields) => ask('query', `${collection} ${selection(fields)}`),
    updateSingleton: (collection, payload, fields) =>
      ask('mutation', `update_${collection}(data: ${literal(payload)}) ${selection(fields)}`),
    issue: (invoice) => ask('mutation', `issue_invoice(id: ${literal(invoice)})`),
  };
}

/** `['title', 'lines.amount']` as `{ title lines { amount } }`. */
function selection(fields: readonly string[]): string {
  const names = [...new Set(fields.map((field) => field.split('.')[0] ?? ''))];
  const parts = names.map((name) => {
    const deeper = fields
      .filter((field) => field.startsWith(`${name}.`))
      .map((field) => field.slice(name.length + 1));
    return deeper.length === 0 ? name : `${name} ${selection(deeper)}`;
  });
  return `{ ${parts.join(' ')} }`;
}

/** A value as a GraphQL literal: names without quotation marks. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, each]) => `${name}: ${literal(each)}`);
  return `{${parts.join(', ')}}`;
}

export const rowsOf = ({ data }: Answer): Rows => data as Rows;
