import Ajv from 'ajv/dist/2020';
import type { World } from '../../factories';

interface Response {
  readonly $ref?: string;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema: object }>>;

export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly security?: readonly object[];
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: object;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

export interface Schema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

export const documentOf = async (world: Pick<World, 'as'>, name: string | null): Promise<OpenApi> =>
  JSON.parse((await world.as(name).get('/server/specs/oas')).text) as OpenApi;

/** A request: who sends it, by which method, to which path of the document, at which address, with which body. */
export type Call = readonly [
  name: string | null,
  method: string,
  template: string,
  path?: string,
  body?: unknown,
];

/** A route, bodies that it accepts, and bodies that it refuses. */
export type Form = readonly [
  method: string,
  template: string,
  path: string,
  taken: readonly unknown[],
  refused: readonly unknown[],
];

/** The errors of a value according to a schema of the document. */
export function faultsIn(value: unknown, schema: object, { components }: OpenApi): unknown {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const check = ajv.compile({ components, allOf: [schema] });
  return check(value) ? undefined : check.errors;
}

/** The errors of an answer according to the document of its caller. */
export async function faultsOf(
  world: Pick<World, 'as' | 'fill'>,
  [name, method, template, path = template, body]: Call,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const document = await documentOf(world, name);
  const reply = await world.as(name).send(method, world.fill(path), world.fill(body), headers);
  const named = document.paths[template]?.[method.toLowerCase()]?.responses[String(reply.status)];
  if (!named) return `${reply.status} is not described: ${reply.text}`;
  const { content } = named.$ref ? (document.components.responses[reply.status] ?? {}) : named;
  if (reply.text === '') return content && 'there is no body';
  const [type = ''] = (reply.headers.get('content-type') ?? '').split(';');
  const schema = content?.[type]?.schema;
  if (!schema) return `${type} is not described`;
  const value: unknown = /[/+]json$/.test(type) ? JSON.parse(reply.text) : reply.text;
  return faultsIn(value, schema, document);
}

/** Whether the service accepts the body, and whether the document allows it. */
export async function sent(
  world: Pick<World, 'as' | 'fill'>,
  [name, method, template, path = template, body]: Call,
) {
  const document = await documentOf(world, name);
  const described = document.paths[template]?.[method.toLowerCase()]?.requestBody;
  const schema = described?.content['application/json']?.schema;
  const filled = world.fill(body);
  const { status } = await world.as(name).send(method, world.fill(path), filled);
  return { taken: status < 300, described: saysYes(filled, described, schema, document) };
}

function saysYes(
  body: unknown,
  described: Operation['requestBody'],
  schema: object | undefined,
  document: OpenApi,
): boolean {
  if (body === undefined) return described?.required !== true;
  return schema !== undefined && faultsIn(body, schema, document) === undefined;
}
