import type { Type } from '@nestjs/common';
import { HTTP_CODE_METADATA, REDIRECT_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { RouteAccess } from '../common/request/access.decorators';
import type { JsonSchema, RouteDescription } from '../common/request/describe.decorator';
import { OBJECT, objectOf, INTEGER } from '../common/request/json-schema';
import type { InputPipe } from '../common/request/read-input';
import type { ListedRoute } from '../collections';
import { readSchema, updateInput } from './collection-schemas';
import { inputSchema } from './input-schema';
import { COMMENT_OPTIONAL } from './parameters';
import { faultResponses, jsonContent } from './responses';
import { refTo, schemaName } from './schema-refs';
import type { Rights } from './collection-rights';

/** The description of an operation, without its path. */
export interface OperationParts {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly JsonSchema[];
  readonly body?: JsonSchema;
  readonly bodyOptional?: true;
  readonly responses: JsonSchema;
  /** Statuses of refusals beside those of every route. */
  readonly faults?: readonly number[];
  /** Everybody without a token is refused, although the guard lets them in. */
  readonly needsToken?: true;
}

const META = objectOf({ 'total_count?': INTEGER, 'filter_count?': INTEGER });

/** `{data, meta}`, the form of nearly every answer. */
export const dataAnswer = (schema: JsonSchema, description = 'Done.'): JsonSchema => ({
  description,
  ...jsonContent(objectOf({ data: schema, 'meta?': META })),
});

export const EMPTY: JsonSchema = { description: 'Done; the answer has no body.' };

/** The operation of a route in the OpenAPI document, without its `operationId` and tags. */
export function operationOf(route: ListedRoute, parts: OperationParts): JsonSchema {
  const { summary, description, parameters = [], body, bodyOptional, responses, faults } = parts;
  return {
    summary,
    ...(description !== undefined && { description }),
    ...(parts.needsToken ? { security: SIGNED_IN } : securityOf(route.access)),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !bodyOptional, ...jsonContent(body) } }),
    responses: {
      ...responses,
      ...faultResponses({ takesBody: body !== undefined, more: faults }),
    },
  };
}

const SIGNED_IN = [{ token: [] }, { session: [] }];

/** Where a route needs no caller, `{}` is one of its alternatives. */
function securityOf(access: RouteAccess | undefined): { readonly security?: JsonSchema[] } {
  switch (access?.kind) {
    case 'signed-in':
      return { security: SIGNED_IN };
    case 'public':
      return { security: access.staleToken === 'refused' ? [{}, ...SIGNED_IN] : [] };
    default:
      // The security of the whole document applies.
      return {};
  }
}

/** A route that describes itself. */
export function namedOperation(
  route: ListedRoute,
  description: RouteDescription,
  rights: Rights,
): JsonSchema {
  const sent = pipeOf(route, RouteParamtypes.BODY);
  const input = description.queryInput ?? pipeOf(route, RouteParamtypes.QUERY)?.input;
  const body = bodyOf(route, description, rights);
  const query = description.query ?? propertiesOf(input);
  return operationOf(route, {
    ...description,
    ...(body && { body }),
    ...(sent?.optional && { bodyOptional: true }),
    parameters: [
      ...Object.entries(query).map(([name, { description, ...schema }]) => ({
        name,
        in: 'query',
        ...(description !== undefined && { description }),
        ...(input && requiredOf(input).includes(name) && { required: true }),
        schema,
      })),
      ...(isItemUpdate(route, description) ? [COMMENT_OPTIONAL] : []),
    ],
    responses: answersOf(route, description, rights),
  });
}

function bodyOf(
  route: ListedRoute,
  description: RouteDescription,
  rights: Rights,
): JsonSchema | undefined {
  const input = pipeOf(route, RouteParamtypes.BODY)?.input;
  return description.body ?? (input && inputSchema(input)) ?? itemBody(route, description, rights);
}

function answersOf(route: ListedRoute, description: RouteDescription, rights: Rights): JsonSchema {
  const method = Reflect.get(route.type.prototype as object, route.name) as object;
  if (Reflect.hasMetadata(REDIRECT_METADATA, method)) {
    return { 302: REDIRECT };
  }
  const status =
    (Reflect.getMetadata(HTTP_CODE_METADATA, method) as number | undefined) ?? defaultStatus(route);
  if (description.content)
    return { [status]: { description: 'Done.', content: mediaTypes(description.content) } };
  const answer = description.answer ?? itemAnswer(description, rights);
  return {
    [status]: answer ? dataAnswer(answer) : EMPTY,
    ...(description.redirectsBrowsers && { [description.redirectsBrowsers]: REDIRECT }),
  };
}

const REDIRECT = {
  description: 'A redirect to `Location`.',
  headers: { Location: { schema: { type: 'string', format: 'uri' } } },
};

const defaultStatus = ({ verb }: ListedRoute): number => (verb === 'POST' ? 201 : 200);

const mediaTypes = (content: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]));

/** What the caller may not see is described as an object of unknown properties. */
function itemAnswer(
  { item, related = {} }: RouteDescription,
  rights: Rights,
): JsonSchema | undefined {
  if (item === undefined) return undefined;
  const fields = rights.get(item)?.read;
  if (!fields) return OBJECT;
  const showsMore = fields.some(
    ({ field }) =>
      field.kind !== 'column' &&
      Object.hasOwn(related, field.name) &&
      !rights.get(field.target)?.read,
  );
  return showsMore ? readSchema(fields, rights, related) : refTo(schemaName.read(item));
}

const isItemUpdate = ({ verb }: ListedRoute, { item }: RouteDescription): boolean =>
  item !== undefined && verb === 'PATCH';

function itemBody(
  route: ListedRoute,
  description: RouteDescription,
  rights: Rights,
): JsonSchema | undefined {
  const { item, more } = description;
  if (item === undefined || !isItemUpdate(route, description)) return undefined;
  if (more) return updateInput(item, rights, more);
  return rights.get(item)?.update ? refTo(schemaName.update(item)) : OBJECT;
}

/** The pipe that reads a parameter of this kind into a class. */
export function pipeOf({ parameters }: ListedRoute, kind: number): InputPipe<object> | undefined {
  const pipes = parameters.filter((each) => each.kind === kind).flatMap(({ pipes = [] }) => pipes);
  return (pipes as Partial<InputPipe<object>>[]).find(isInputPipe);
}

const propertiesOf = (input: Type<object> | undefined): Record<string, JsonSchema> =>
  input ? (inputSchema(input)['properties'] as Record<string, JsonSchema>) : {};

const requiredOf = (input: Type<object>): readonly string[] =>
  (inputSchema(input)['required'] ?? []) as readonly string[];

const isInputPipe = (pipe: Partial<InputPipe<object>>): pipe is InputPipe<object> =>
  pipe.input !== undefined;
