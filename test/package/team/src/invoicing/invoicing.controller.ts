import { Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { type Caller, CurrentCaller, RequirePermission } from 'doorward';
import { BooksOpenGuard } from './books-open.guard';
import { InvoicingService } from './invoicing.service';

@Controller('invoices')
export class InvoicingController {
  constructor(private readonly invoicing: InvoicingService) {}

  @Post(':id/issue')
  @HttpCode(200)
  @UseGuards(BooksOpenGuard)
  @RequirePermission('update', 'invoices')
  async issue(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<object> {
    return { data: await this.invoicing.issue(caller, id) };
  }
}
