import { Injectable } from '@nestjs/common';
import { RouteNotFound } from '../common/errors';
import { AppConfig } from '../config/app-config';
import { GraphqlSchemas } from './graphql-schemas';
import type { Endpoint } from './operation';

@Injectable()
export class SdlService {
  constructor(
    private readonly schemas: GraphqlSchemas,
    private readonly config: AppConfig,
  ) {}

  /** @throws RouteNotFound where introspection is off, which would reveal the same */
  sdl(endpoint: Endpoint, path: string): string {
    if (!this.config.graphqlIntrospection) throw new RouteNotFound({ path });
    return this.schemas.sdl(endpoint);
  }
}
