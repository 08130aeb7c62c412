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
import type { Caller } from '../engine';
import { collectionOf, type DescribedRoute, describedRoutes, openApiDocument } from './document';
import { type Sights, signatureOf, sightsOf } from './sight';

/** Bytes that the kept documents may have: some sixty of 300 collections, of which each is 3 MB before it is packed. */
const ROOM = 8_000_000;
const pack = promisify(gzip);

/** The OpenAPI document, for a caller: it holds what everybody may know, and of collections what they may do with them. */
@Injectable()
export class OpenApiService implements OnApplicationBootstrap {
  /** By what their callers may do: for those who may do the same it is the same. */
  private readonly documents = new LRUCache<string, Buffer>({
    maxSize: ROOM,
    sizeCalculation: (document, signature) => document.length + signature.length,
  });
  /** Those that are being made: who asks for one meanwhile waits for it. */
  private readonly making = new Map<string, Promise<Buffer>>();
  /** One after another: before it is packed each takes several times what it takes as text. */
  private readonly mutex = new KeyedMutex();
  private routes: readonly DescribedRoute[] = [];
  /** Collections of which whoever is signed in may do something without a rule. */
  private open: ReadonlySet<string> = new Set();
  private readonly version = packageVersion();

  constructor(
    private readonly collections: Collections,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
  ) {}

  onApplicationBootstrap(): void {
    this.routes = describedRoutes(listRoutes(this.discovery, this.scanner, this.modules));
    this.open = new Set(
      this.routes.flatMap(({ route }) =>
        route.access?.kind === 'permission' && route.access.orUser
          ? (collectionOf(route) ?? [])
          : [],
      ),
    );
  }

  /** @returns the document: JSON, packed by gzip */
  document(caller: Caller): Promise<Buffer> {
    const sights = sightsOf(caller, this.collections.registry, this.open);
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

  /** Others have their turn meanwhile: of 300 collections it takes half a second. */
  private async make(routes: readonly DescribedRoute[], sights: Sights): Promise<Buffer> {
    const document = await openApiDocument({ routes, sights, version: this.version });
    const pieces: string[] = [];
    for (const piece of jsonPieces(document)) {
      pieces.push(piece);
      await nextTurn();
    }
    return pack(pieces.join(''));
  }
}

/** Of one length, however much somebody may do. */
const signed = (routes: readonly DescribedRoute[], sights: Sights): string =>
  createHash('sha256')
    .update(routes.map(({ route }) => route.place).join(' '))
    .update('\n')
    .update(signatureOf(sights))
    .digest('base64');

/** The service's own routes are everybody's to know; a team's, of those who may call them. Those of items go by sight. */
const isKnownTo = (caller: Caller, { route, description }: DescribedRoute): boolean =>
  route.isService ||
  description.kind === 'items' ||
  (route.access !== undefined && mayCall(route.access, caller, {}));
