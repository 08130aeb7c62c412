import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { Description, JsonSchema } from '../common/request/describe.decorator';
import type { DescribedRoute } from './described-routes';
import { inputSchema } from './input-schema';
import { pipeOf } from './operation';
import type { ListLimits } from './parameters';

/** The settings on which the document depends. */
export interface DocumentSettings extends ListLimits {
  readonly graphqlIntrospection: boolean;
  readonly userRequiredFields: readonly string[];
}

/** The routes that exist under these settings, with the descriptions that the settings add to. */
export const enabledRoutes = (
  { graphqlIntrospection, userRequiredFields }: DocumentSettings,
  routes: readonly DescribedRoute[],
): DescribedRoute[] =>
  routes
    .filter(({ description }) => graphqlIntrospection || !introspects(description))
    .map((each) => requiring(userRequiredFields, each));

const introspects = (description: Description): boolean =>
  description.kind === 'named' && description.introspects === true;

/** A body that creates a user needs the fields that the configuration requires. */
function requiring(
  fields: readonly string[],
  { route, description }: DescribedRoute,
): DescribedRoute {
  const input = pipeOf(route, RouteParamtypes.BODY)?.input;
  if (description.kind !== 'named' || !description.makesUser || !input)
    return { route, description };
  const { required, properties, ...rest } = inputSchema(input) as InputSchema;
  const added = fields.filter((name) => Object.hasOwn(properties, name));
  const body = {
    ...rest,
    required: [...new Set([...required, ...added])],
    properties: {
      ...properties,
      ...Object.fromEntries(added.map((name) => [name, nonEmpty(properties[name] ?? {})])),
    },
  };
  return { route, description: { ...description, body } };
}

/** A text that may be neither null nor empty. */
const nonEmpty = (schema: JsonSchema): JsonSchema => ({ ...schema, type: 'string', minLength: 1 });

interface InputSchema extends JsonSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, JsonSchema>>;
}
