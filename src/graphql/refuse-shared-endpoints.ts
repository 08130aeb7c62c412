import type { DiscoveryService } from '@nestjs/core';
import { GraphQLModule, type GqlModuleOptions } from '@nestjs/graphql';
import { RegistrationError } from '../common/schema';
import { ENDPOINTS } from './endpoint-middleware';

const OURS = ENDPOINTS.items;
/** Where Nest puts an endpoint without a path. */
const DEFAULT = '/graphql';

/**
 * Everything below our endpoint is ours: a team's endpoint there could never be reached, or would hide ours.
 * @param isOurs recognises our own modules by their options
 * @throws RegistrationError
 */
export function refuseSharedEndpoints(
  discovery: DiscoveryService,
  prefix: string,
  isOurs: (options: GqlModuleOptions) => boolean,
): void {
  for (const options of otherGraphqlModules(discovery, isOurs)) {
    if (isBelow(fullPath(options, prefix), `${prefix}${OURS}`)) {
      throw new RegistrationError(
        `A GraphQLModule of yours is at ${fullPath(options, prefix)}, and ${prefix}${OURS} is Doorward's: ` +
          "give yours another path, as in GraphQLModule.forRoot({ path: '/team/graphql' }).",
      );
    }
  }
}

/** The options of every `GraphQLModule` that is a team's. */
export const otherGraphqlModules = (
  discovery: DiscoveryService,
  isOurs: (options: GqlModuleOptions) => boolean,
): GqlModuleOptions[] =>
  discovery.getProviders().flatMap(({ instance }) => {
    if (!(instance instanceof GraphQLModule)) return [];
    const { options } = instance as unknown as { readonly options: GqlModuleOptions };
    return isOurs(options) ? [] : [options];
  });

function fullPath({ path = DEFAULT, useGlobalPrefix = false }: GqlModuleOptions, prefix: string) {
  const own = path.startsWith('/') ? path : `/${path}`;
  return useGlobalPrefix ? `${prefix}${own}` : own;
}

/** Express ignores case and a slash at the end. */
function isBelow(path: string, root: string): boolean {
  const [lower, start] = [path.toLowerCase().replace(/\/$/, ''), root.toLowerCase()];
  return lower === start || lower.startsWith(`${start}/`);
}
