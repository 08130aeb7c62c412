import type { ValueProvider } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';

/** A provider for a value that is collected from all modules. */
export const provideValue = <T>(kind: string, value: T): ValueProvider<T> => ({
  provide: Symbol(kind),
  useValue: value,
});

/** All values of a kind, in the order of the modules; available before any provider is created. */
export const providedValues = <T>(discovery: DiscoveryService, kind: string): T[] =>
  discovery
    .getProviders()
    .filter(({ token }) => typeof token === 'symbol' && token.description === kind)
    .map(({ instance }) => instance as T);
