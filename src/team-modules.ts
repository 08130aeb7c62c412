import type { DynamicModule, Type } from '@nestjs/common';

/** A team's own modules, beside the service's. */
export type TeamModules = readonly (Type | DynamicModule)[];
