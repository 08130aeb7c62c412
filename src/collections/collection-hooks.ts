import { DiscoveryService } from '@nestjs/core';
import type { CollectionReference } from './tokens';

/**
 * Makes a provider hooks of a collection: `@HooksOf(Invoice) class InvoiceHooks implements CollectionHooks<Invoice>`.
 * The collection of another module is given by name: `@HooksOf('service_users')`. A collection may have several. A class
 * that extends such a class is hooks of the same collection.
 */
export const HooksOf = DiscoveryService.createDecorator<CollectionReference>();

/**
 * Declares a provider to be asked once before each request that writes is committed, whatever it wrote:
 * `@BeforeCommit() class Journal implements CommitHooks`.
 */
export const BeforeCommit = DiscoveryService.createDecorator();
