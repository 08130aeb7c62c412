import { start } from 'doorward';
import { InvoicingModule } from './invoicing.module';

void start([InvoicingModule]);
