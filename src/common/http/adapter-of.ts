import type { AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';

/**
 * The adapter of an application that answers requests. Others have none, whatever the type says: those of
 * `NestFactory.createApplicationContext` and of `repl`, and modules that a test initialises alone.
 */
export const adapterOf = <T extends AbstractHttpAdapter>({
  httpAdapter,
}: HttpAdapterHost<T>): T | undefined => (httpAdapter as T | null | undefined) ?? undefined;
