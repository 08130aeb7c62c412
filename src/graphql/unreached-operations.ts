import { Logger, type OnModuleInit } from '@nestjs/common';
import { type DiscoveryService, MetadataScanner } from '@nestjs/core';
import { RESOLVER_NAME_METADATA, RESOLVER_TYPE_METADATA } from '@nestjs/graphql';
import type { GuardScope } from '../common/request/guard-scope';
import { RegistrationError } from '../common/schema';
import { isObject } from '../common/is-object';
import { TypeDefs } from './operation';
import { resolverOfProvider, type FoundResolver, metadataOf } from './found-resolver';
import { ROOTS } from './resolver-explorer';

/**
 * Looks for `@Query` and `@Mutation` methods that nobody serves: our endpoints take those of classes with `@TypeDefs`,
 * a team's own `GraphQLModule` takes all others, and without one they would be ignored silently.
 */
export class UnreachedOperations implements OnModuleInit {
  private readonly logger = new Logger('GraphQL');
  private readonly scanner = new MetadataScanner();

  /** @param hasOther whether the application has a `GraphQLModule` besides ours */
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scope: GuardScope,
    private readonly hasOther: (discovery: DiscoveryService) => boolean,
  ) {}

  /** @throws RegistrationError that names them, where the application is ours; in a host's the log names them */
  onModuleInit(): void {
    const texts = this.hasOther(this.discovery) ? [] : [...new Set(this.texts())];
    if (texts.length === 0) return;
    if (this.scope.undeclaredRoutes === 'stop') throw new RegistrationError(texts.join('\n'));
    this.logger.warn(texts.join('\n'));
  }

  private texts(): string[] {
    return this.discovery.getProviders().flatMap((provider) => {
      const prototype: unknown = provider.metatype?.prototype;
      if (!isObject(prototype)) return [];
      if (this.discovery.getMetadataByDecorator(TypeDefs, provider)) return [];
      const resolver = resolverOfProvider(provider);
      return this.scanner
        .getAllMethodNames(prototype)
        .flatMap((method) => unreachedText(resolver, method));
    });
  }
}

function unreachedText(resolver: FoundResolver, method: string): string[] {
  const type = metadataOf<string>(RESOLVER_TYPE_METADATA, resolver, method);
  if (type === undefined || !ROOTS.includes(type)) return [];
  const field = metadataOf<string>(RESOLVER_NAME_METADATA, resolver, method) ?? method;
  const sdl = `extend type ${type} { ${field}: … }`;
  return [
    `${resolver.type.name}.${method} is a @${type} that no schema has, so it can never be reached: ` +
      `add it by @TypeDefs({ endpoint: 'items', sdl: '${sdl}' }) on ${resolver.type.name}.`,
  ];
}
