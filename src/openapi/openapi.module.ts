import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DocsController } from './docs.controller';
import { DocsService } from './docs.service';
import { OpenApiController } from './openapi.controller';
import { OpenApiService } from './openapi.service';

/** What there is, for machines that read OpenAPI. */
@Module({
  imports: [DiscoveryModule],
  controllers: [OpenApiController, DocsController],
  providers: [OpenApiService, DocsService],
})
export class OpenApiModule {}
