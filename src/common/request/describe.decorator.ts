import { SetMetadata, type Type } from '@nestjs/common';
import { isObject } from '../is-object';

/** The metadata key under which the OpenAPI document finds the description of a route. */
export const ROUTE_DESCRIPTION = 'doorward:route-description';

/** JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The standard operation of a route on the items of a collection; its parameters, body and answers follow from it. */
export type ItemsOperation =
  | 'list'
  | 'search'
  | 'one'
  | 'create'
  | 'updateMany'
  | 'updateOne'
  | 'deleteMany'
  | 'deleteOne'
  | 'readSingleton'
  | 'updateSingleton';

/**
 * What the OpenAPI document says about a route.
 *
 *     { summary: 'Pays a bill', body: { type: 'object' }, answer: { type: 'string', format: 'uuid' } }
 */
export interface RouteDescription {
  /** What it does, in one line. */
  readonly summary: string;
  /** Details, in Markdown. */
  readonly description?: string;
  /** The schema of `data` in the answer; without it, there is none. */
  readonly answer?: JsonSchema;
  /** Schemas of the answer by media type, where its body is not `{ data }`. */
  readonly content?: Readonly<Record<string, JsonSchema>>;
  /** The schema of the request's body, where it is not an input class that `reading` reads. */
  readonly body?: JsonSchema;
  /** The body may be left out. */
  readonly bodyOptional?: true;
  /** Schemas of query parameters by name, where they are not an input class that `reading` reads. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** The input class of query parameters that the route reads by itself. */
  readonly queryInput?: Type<object>;
  /** Other programs may add parameters to links to this route: unknown ones are ignored. */
  readonly anyQuery?: true;
  /** Statuses of refusals beside those that any route may answer with. */
  readonly faults?: readonly number[];
  /** The status with which browsers are led elsewhere instead of being answered. */
  readonly redirectsBrowsers?: number;
  /** Schemas of path parameters by name, where they are not plain strings. */
  readonly path?: Readonly<Record<string, JsonSchema>>;
  /** The name of a collection: the answer is one of its items, and so is a body without a schema. */
  readonly item?: string;
  /** Schemas of properties by name that such a body may have whatever the rules say. */
  readonly more?: Readonly<Record<string, JsonSchema>>;
  /** The body creates a user: the fields that the configuration requires of users are required of it. */
  readonly makesUser?: true;
  /** The route is open to its guard, and refuses everybody without a token by itself. */
  readonly needsToken?: true;
  /** Schemas by field of related items that such an answer may hold whatever the rules say. */
  readonly related?: Readonly<Record<string, JsonSchema>>;
  /** There is no such route where GraphQL's introspection is switched off. */
  readonly introspects?: true;
}

/** The description of a route, or the reason why it is not in the OpenAPI document. */
export type Description =
  | ({ readonly kind: 'named' } & RouteDescription)
  | { readonly kind: 'items'; readonly operation: ItemsOperation }
  | { readonly kind: 'none'; readonly because: string };

const describe = (description: Description): MethodDecorator & ClassDecorator =>
  SetMetadata(ROUTE_DESCRIPTION, description);

/**
 * Puts a route into the OpenAPI document of the callers who may use it. What its other decorators declare is not
 * repeated: who may call it, its status, and an input class that `reading` reads.
 *
 *     @Post('pay')
 *     @RequirePermission('update', 'bills')
 *     @Describe('Pays a bill', { body: { type: 'object', … }, answer: { type: 'string', format: 'uuid' } })
 */
export const Describe = (
  summary: string,
  more: Omit<RouteDescription, 'summary'> = {},
): MethodDecorator => describe({ kind: 'named', summary, ...more });

/** The same for a standard route of a collection. */
export const DescribeItems = (operation: ItemsOperation): MethodDecorator =>
  describe({ kind: 'items', operation });

/** Leaves a route, or all routes of a controller, out of the OpenAPI document. */
export const Undescribed = (because: string): MethodDecorator & ClassDecorator =>
  describe({ kind: 'none', because });

/** The description at the method, at the one that it overrides, or at its class. */
export function descriptionOf(type: object, name: string): Description | undefined {
  let at: unknown = (type as { prototype?: unknown }).prototype;
  while (isObject(at)) {
    const method: unknown = Object.getOwnPropertyDescriptor(at, name)?.value;
    const description: unknown =
      typeof method === 'function' && Reflect.getMetadata(ROUTE_DESCRIPTION, method);
    if (description) return description as Description;
    at = Object.getPrototypeOf(at);
  }
  return Reflect.getMetadata(ROUTE_DESCRIPTION, type) as Description | undefined;
}
