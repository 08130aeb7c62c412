import { DiscoveryService } from '@nestjs/core';
import type { CollectionReference } from './tokens';

/**
 * Declares a provider to be hooks of a collection: `@HooksOf(Invoice) class InvoiceHooks implements CollectionHooks`.
 * A collection of another module's is named: `@HooksOf('service_users')`. A collection may have several.
 */
export const HooksOf = DiscoveryService.createDecorator<CollectionReference>();
