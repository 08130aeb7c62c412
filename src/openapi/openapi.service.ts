import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { LRUCache } from 'lru-cache';
import { Collections, listRoutes } from '../collections';
import { jsonPieces } from '../common/http/json-pieces';
import { nextTurn } from '../common/next-turn';
import { packageVersion } from '../common/package-version';
import { mayCall } from '../common/request/may-call';
import { KeyedMutex } from '../common/keyed-mutex';
import { AppConfig } from '../config/app-config';
import type { Caller } from '../engine';
import { routesUnder } from './deployment';
import { type DescribedRoute, describedRoutes } from './described-routes';
import { openApiDocument } from './document';
import { type Sights, signatureOf, sightsOf } from './sight';

/** Bytes of cached documents: about sixty with 300 collections, each 3 MB before compression. */
const MAX_BYTES = 8_000_000;
const pack = promisify(gzip);

/** Makes the OpenAPI document of a caller: public routes, and of collections what the caller may do with them. */
@Injectable()
export class OpenApiService implements OnApplicationBootstrap {
  /** By the rights of the caller: callers with equal rights share a document. */
  private readonly documents = new LRUCache<string, Buffer>({
    maxSize: MAX_BYTES,
    sizeCalculation: (document, signature) => document.length + signature.length,
  });
  /** Documents under way, so that others who ask for one wait for it. */
  private readonly making = new Map<string, Promise<Buffer>>();
  /** Documents are made one after another: until it is compressed, each takes several times its text in memory. */
  private readonly mutex = new KeyedMutex();
  private routes: readonly DescribedRoute[] = [];
  private readonly version = packageVersion();

  constructor(
    private readonly collections: Collections,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    const routes = describedRoutes(listRoutes(this.discovery, this.scanner, this.modules));
    this.routes = routesUnder(this.config, routes);
  }

  /** @returns the document: JSON, compressed by gzip */
  document(caller: Caller): Promise<Buffer> {
    const sights = sightsOf(caller, this.collections);
    const routes = this.routes.filter((each) => isKnownTo(caller, each));
    const signature = signed(routes, sights);
    const known = this.documents.get(signature);
    if (known !== undefined) return Promise.resolve(known);
    return (
      this.making.get(signature) ??
      this.keep(
        signature,
        this.mutex.run('', () => this.make(routes, sights)),
      )
    );
  }

  private keep(signature: string, made: Promise<Buffer>): Promise<Buffer> {
    const making = made
      .then((packed) => {
        this.documents.set(signature, packed);
        return packed;
      })
      .finally(() => this.making.delete(signature));
    this.making.set(signature, making);
    return making;
  }

  /** Releases the event loop on the way: with 300 collections it takes half a second. */
  private async make(routes: readonly DescribedRoute[], sights: Sights): Promise<Buffer> {
    const { version, config } = this;
    const document = await openApiDocument({ routes, sights, version, deployment: config });
    const pieces: string[] = [];
    for (const piece of jsonPieces(document)) {
      pieces.push(piece);
      await nextTurn();
    }
    return pack(pieces.join(''));
  }
}

/** A hash, so that the key has one length whatever the rights are. */
const signed = (routes: readonly DescribedRoute[], sights: Sights): string =>
  createHash('sha256')
    .update(routes.map(({ route }) => route.place).join(' '))
    .update('\n')
    .update(signatureOf(sights))
    .digest('base64');

/** Everybody may know the service's own routes; a team's routes, those who may call them. Items depend on the rights. */
const isKnownTo = (caller: Caller, { route, description }: DescribedRoute): boolean =>
  route.isService ||
  description.kind === 'items' ||
  (route.access !== undefined && mayCall(route.access, caller, {}));
