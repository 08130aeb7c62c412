import type { ValueProvider } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';

/** A provider by which a module brings a value that something else gathers from all modules. */
export const provideValue = <T>(kind: string, value: T): ValueProvider<T> => ({
  provide: Symbol(kind),
  useValue: value,
});

/** All values of a kind, in the order of the modules; known before any provider is made. */
export const providedValues = <T>(discovery: DiscoveryService, kind: string): T[] =>
  discovery
    .getProviders()
    .filter(({ token }) => typeof token === 'symbol' && token.description === kind)
    .map(({ instance }) => instance as T);
