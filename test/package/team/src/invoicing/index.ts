import { Module } from '@nestjs/common';
import { CollectionsModule, provideRules } from 'doorward';
import { Account } from './account.entity';
import { AuditEntry } from './audit-entry.entity';
import { BooksOpenGuard } from './books-open.guard';
import { Customer } from './customer.entity';
import { InvoiceLine } from './invoice-line.entity';
import { InvoiceLineHooks } from './invoice-line.hooks';
import { Invoice } from './invoice.entity';
import { InvoiceHooks } from './invoice.hooks';
import { InvoicingSettings } from './invoicing-settings.entity';
import { InvoicingController } from './invoicing.controller';
import { InvoicingResolver } from './invoicing.resolver';
import { RULES } from './invoicing.rules';
import { InvoicingService } from './invoicing.service';
import { Label } from './label.entity';
import { OfficeFields } from './office.fields';

const ENTITIES = [Account, AuditEntry, Customer, Invoice, InvoiceLine, InvoicingSettings, Label];

@Module({
  imports: [
    CollectionsModule.forFeature(ENTITIES),
    CollectionsModule.extend('service_users', OfficeFields),
  ],
  controllers: [InvoicingController],
  providers: [
    ...[InvoiceHooks, InvoiceLineHooks, InvoicingService, InvoicingResolver, BooksOpenGuard],
    provideRules(RULES),
  ],
})
export class InvoicingModule {}

export const modules = [InvoicingModule];
