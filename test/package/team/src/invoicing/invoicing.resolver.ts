import { UseGuards } from '@nestjs/common';
import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { type Caller, CurrentCaller, RequirePermission, TypeDefs } from 'doorward';
import { BooksOpenGuard } from './books-open.guard';
import { InvoicingService } from './invoicing.service';

@Resolver()
@TypeDefs({ endpoint: 'items', sdl: 'extend type Mutation { issue_invoice(id: ID!): String! }' })
export class InvoicingResolver {
  constructor(private readonly invoicing: InvoicingService) {}

  @Mutation('issue_invoice')
  @UseGuards(BooksOpenGuard)
  @RequirePermission('update', 'invoices')
  issue(@CurrentCaller() caller: Caller, @Args('id') id: string): Promise<string> {
    return this.invoicing.issue(caller, id);
  }
}
