import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { LRUCache } from 'lru-cache';
import { Collections, listRoutes } from '../collections';
import { packageFolder } from '../common/package-folder';
import { mayCall } from '../common/request/may-call';
import type { Caller } from '../engine';
import { collectionOf, type DescribedRoute, describedRoutes, openApiDocument } from './document';
import { signatureOf, sightsOf } from './sight';

/** Bytes that the kept documents may have. */
const ROOM = 8_000_000;

/** The OpenAPI document, for a caller: it holds what everybody may know, and of collections what they may do with them. */
@Injectable()
export class OpenApiService implements OnApplicationBootstrap {
  /** As text, by what their callers may do: for those who may do the same it is the same. */
  private readonly documents = new LRUCache<string, string>({
    maxSize: ROOM,
    sizeCalculation: (document, signature) => 2 * (document.length + signature.length),
  });
  private routes: readonly DescribedRoute[] = [];
  /** Collections of which whoever is signed in may do something without a rule. */
  private open: ReadonlySet<string> = new Set();
  private readonly version = readVersion();

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

  /** @returns the document, as JSON */
  document(caller: Caller): string {
    const sights = sightsOf(caller, this.collections.registry, this.open);
    const routes = this.routes.filter((each) => isKnownTo(caller, each));
    const signature = `${routes.map(({ route }) => route.place).join(' ')}\n${signatureOf(sights)}`;
    const known = this.documents.get(signature);
    if (known !== undefined) return known;
    const document = JSON.stringify(openApiDocument({ routes, sights, version: this.version }));
    this.documents.set(signature, document);
    return document;
  }
}

/** The service's own routes are everybody's to know; a team's, of those who may call them. Those of items go by sight. */
const isKnownTo = (caller: Caller, { route, description }: DescribedRoute): boolean =>
  route.isService ||
  description.kind === 'items' ||
  (route.access !== undefined && mayCall(route.access, caller, {}));

function readVersion(): string {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
