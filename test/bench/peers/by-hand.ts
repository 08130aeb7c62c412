import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { BearerTokens } from './bearer-tokens';
import * as sql from './statements';

/** As many connections as the service has. */
const POOL_SIZE = 10;
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: POOL_SIZE });
const tokens = new BearerTokens(process.env['SECRET'] ?? '');
const app = fastify();

const callerOf = ({ headers }: FastifyRequest): string => tokens.userOf(headers.authorization);

/** Prepared, under the text's own name. */
const rowsOf = async <T extends object>(name: keyof typeof sql, values: unknown[]): Promise<T[]> =>
  (await pool.query<T>({ name, text: sql[name], values })).rows;

async function one(name: keyof typeof sql, values: unknown[], reply: FastifyReply) {
  const [data] = await rowsOf(name, values);
  return data ? { data } : reply.code(403).send({ errors: [{ message: 'Forbidden' }] });
}

const limit = { type: 'integer', minimum: 1, maximum: 500, default: 100 };
const id = { type: 'integer', minimum: 1 };
const CATEGORY = 'filter[category][name][_eq]';
const JOINED = 'id,title,status,qty,price,category.name,owner.first_name';

interface ListQuery {
  readonly limit: number;
  readonly fields?: string;
  readonly [CATEGORY]?: string;
}

interface JoinedRow {
  readonly category: number | null;
  readonly category_name: string | null;
  readonly owner: string | null;
  readonly first_name: string | null;
}

const nested = ({ category, category_name, owner, first_name, ...row }: JoinedRow) => ({
  ...row,
  category: category === null ? null : { name: category_name },
  owner: owner === null ? null : { first_name },
});

app.get<{ Querystring: ListQuery }>(
  '/items/articles',
  {
    schema: {
      querystring: {
        type: 'object',
        properties: { limit, fields: { const: JOINED }, [CATEGORY]: { type: 'string' } },
        additionalProperties: false,
      },
    },
  },
  async (request) => {
    const { query } = request;
    const values = [callerOf(request), query.limit];
    const category = query[CATEGORY];
    if (query.fields !== undefined)
      return { data: (await rowsOf<JoinedRow>('ARTICLES_JOINED', values)).map(nested) };
    return {
      data:
        category === undefined
          ? await rowsOf('ARTICLES_LIST', values)
          : await rowsOf('ARTICLES_OF_CATEGORY', [...values, category]),
    };
  },
);

app.get<{ Querystring: { readonly limit: number } }>(
  '/users',
  { schema: { querystring: { type: 'object', properties: { limit } } } },
  async (request) => ({
    data: await rowsOf('USERS_LIST', [callerOf(request), request.query.limit]),
  }),
);

const key = { type: 'object', properties: { id } };
interface Key {
  readonly id: number;
}

app.get<{ Params: Key }>('/items/articles/:id', { schema: { params: key } }, (request, reply) =>
  one('ONE_ARTICLE', [callerOf(request), request.params.id], reply),
);

app.patch<{ Params: Key; Body: { readonly qty: number | null } }>(
  '/items/articles/:id',
  {
    schema: {
      params: key,
      body: {
        type: 'object',
        properties: { qty: { type: ['integer', 'null'] } },
        required: ['qty'],
        additionalProperties: false,
      },
    },
  },
  (request, reply) => {
    const { params, body, ip, headers } = request;
    const values = [callerOf(request), params.id, body.qty, ip, headers['user-agent'] ?? null];
    return one('UPDATE_OWN_LOGGED', values, reply);
  },
);

interface NewArticle {
  readonly title: string;
  readonly body?: string | null;
  readonly status?: string;
  readonly qty?: number | null;
  readonly price?: string | null;
}

app.post<{ Body: NewArticle }>(
  '/items/articles',
  {
    schema: {
      body: {
        type: 'object',
        properties: {
          title: { type: 'string', maxLength: 255 },
          body: { type: ['string', 'null'] },
          status: { enum: ['draft', 'published'], default: 'draft' },
          qty: { type: ['integer', 'null'] },
          price: { type: ['string', 'null'], pattern: String.raw`^\d{1,8}(\.\d{1,2})?$` },
        },
        required: ['title'],
        additionalProperties: false,
      },
    },
  },
  (request, reply) => {
    const { title, body, status, qty, price } = request.body;
    const { ip, headers } = request;
    const values = [
      ...[callerOf(request), title, body ?? null, status, qty ?? null, price ?? null],
      ...[ip, headers['user-agent'] ?? null],
    ];
    return one('INSERT_ARTICLE_LOGGED', values, reply);
  },
);

process.on('message', () => process.send?.('ready'));

void app
  .listen({ port: 0, host: '127.0.0.1' })
  .then((url) => console.log(`The service written by hand is on ${url}`));
