import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DocsController } from './docs.controller';
import { DocsService } from './docs.service';
import { OpenApiController } from './openapi.controller';
import { OpenApiService } from './openapi.service';

/** The OpenAPI document, and the page that shows it. */
@Module({
  imports: [DiscoveryModule],
  controllers: [OpenApiController, DocsController],
  providers: [OpenApiService, DocsService],
})
export class OpenApiModule {}
