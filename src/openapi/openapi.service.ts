import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryService,
  MetadataScanner,
  ModulesContainer,
} from '@nestjs/core';
import { LRUCache } from 'lru-cache';
import { Collections, listRoutes } from '../collections';
import { jsonPieces } from '../common/http/json-pieces';
import { Metrics } from '../common/metrics/metrics';
import { turnOfLongWork } from '../common/next-turn';
import { packageVersion } from '../common/package-version';
import { mayCall } from '../common/request/may-call';
import { KeyedMutex } from '../common/keyed-mutex';
import { AppConfig } from '../config/app-config';
import type { Caller } from '../engine';
import { enabledRoutes } from './document-settings';
import { type DescribedRoute, describedRoutes } from './described-routes';
import { openApiDocument } from './document';
import { PLAIN_PATHS, servedPaths } from './served-paths';
import { type Rights, signatureOf, rightsOf } from './collection-rights';

/** Bytes of cached documents: about sixty with 300 collections, each 3 MB before compression. */
const MAX_BYTES = 8_000_000;
const compress = promisify(gzip);

/** Makes the OpenAPI document of a caller: public routes, and of collections what the caller may do with them. */
@Injectable()
export class OpenApiService implements OnApplicationBootstrap {
  /** By the rights of the caller: callers with equal rights share a document. */
  private readonly documents = new LRUCache<string, Buffer>({
    maxSize: MAX_BYTES,
    sizeCalculation: (document, cacheKey) => document.length + cacheKey.length,
  });
  /** Documents under way, so that others who ask for one wait for it. */
  private readonly making = new Map<string, Promise<Buffer>>();
  /** Documents are made one after another: until it is compressed, each takes several times its text in memory. */
  private readonly mutex = new KeyedMutex();
  private routes: readonly DescribedRoute[] = [];
  private served = PLAIN_PATHS;
  private readonly version = packageVersion();

  constructor(
    private readonly collections: Collections,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
    private readonly config: AppConfig,
    private readonly application: ApplicationConfig,
    metrics: Metrics,
  ) {
    metrics.addCache('openapi', this.documents);
  }

  onApplicationBootstrap(): void {
    const routes = describedRoutes(listRoutes(this.discovery, this.scanner, this.modules));
    this.routes = enabledRoutes(this.config, routes);
    this.served = servedPaths(
      this.routes.map(({ route }) => route),
      this.application,
    );
  }

  /** @returns the document: JSON, compressed by gzip */
  document(caller: Caller): Promise<Buffer> {
    const rights = rightsOf(caller, this.collections);
    const routes = this.routes.filter((each) => isKnownTo(caller, each));
    const cacheKey = cacheKeyOf(routes, rights);
    const known = this.documents.get(cacheKey);
    if (known !== undefined) return Promise.resolve(known);
    return (
      this.making.get(cacheKey) ??
      this.keep(
        cacheKey,
        this.mutex.run('', () => this.make(routes, rights)),
      )
    );
  }

  private keep(cacheKey: string, document: Promise<Buffer>): Promise<Buffer> {
    const making = document
      .then((compressed) => {
        this.documents.set(cacheKey, compressed);
        return compressed;
      })
      .finally(() => this.making.delete(cacheKey));
    this.making.set(cacheKey, making);
    return making;
  }

  /** Releases the event loop on the way: with 300 collections it takes half a second. */
  private async make(routes: readonly DescribedRoute[], rights: Rights): Promise<Buffer> {
    const { version, config: settings, served } = this;
    const document = await openApiDocument({ routes, rights, version, settings, served });
    const pieces: string[] = [];
    for (const piece of jsonPieces(document)) {
      pieces.push(piece);
      await turnOfLongWork();
    }
    return compress(pieces.join(''));
  }
}

/** A hash, so that the key has one length whatever the rights are. */
const cacheKeyOf = (routes: readonly DescribedRoute[], rights: Rights): string =>
  createHash('sha256')
    .update(routes.map(({ route }) => route.place).join(' '))
    .update('\n')
    .update(signatureOf(rights))
    .digest('base64');

/** Everybody may know the service's own routes; a team's routes, those who may call them. Items depend on the rights. */
const isKnownTo = (caller: Caller, { route, description }: DescribedRoute): boolean =>
  route.isService ||
  description.kind === 'items' ||
  (route.access !== undefined && mayCall(route.access, caller, {}));
