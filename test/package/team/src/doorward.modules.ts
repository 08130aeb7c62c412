import { Module } from '@nestjs/common';
import { provideSchema } from 'doorward';
import { InvoicingModule } from './invoicing';
import { migrations } from './migrations';

/** The migrations that `doorward migration:generate` writes. */
@Module({ providers: [provideSchema({ migrations })] })
class MigrationsModule {}

export const modules = [InvoicingModule, MigrationsModule];
