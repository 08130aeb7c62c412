import { DiscoveryService } from '@nestjs/core';
import type { CollectionReference } from './tokens';

/**
 * Declares a provider to be hooks of a collection: `@HooksOf(Invoice) class InvoiceHooks implements CollectionHooks`.
 * A collection of another module's is named: `@HooksOf('service_users')`. A collection may have several.
 */
export const HooksOf = DiscoveryService.createDecorator<CollectionReference>();

/**
 * Declares a provider to be asked once before each request that writes is committed, whatever it wrote:
 * `@BeforeCommit() class Journal implements CommitHooks`.
 */
export const BeforeCommit = DiscoveryService.createDecorator();
