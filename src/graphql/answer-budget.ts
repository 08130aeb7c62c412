import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import type { GraphqlContext } from './graphql-context';

export const BUDGETED = 'doorward:budgeted';

/** Takes the rows that a query asks for from what all the queries of its request may ask for. */
class RowBudgetGuard implements CanActivate {
  constructor(private readonly isList: boolean) {}

  canActivate(context: ExecutionContext): boolean {
    const [, args, { budget }] = context.getArgs<[unknown, object, GraphqlContext]>();
    if ('limit' in args || this.isList) budget.takeRows('limit' in args ? args.limit : undefined);
    return true;
  }
}

/**
 * Of a query: one of one item, or of a list, whose rows are counted before they are read. Its answer is taken from what
 * all the queries of its request may be answered with. A guard and not an interceptor: an observable for each operation
 * costs more than all that is counted.
 */
export const Budgeted = (of: 'item' | 'list'): MethodDecorator =>
  applyDecorators(UseGuards(new RowBudgetGuard(of === 'list')), SetMetadata(BUDGETED, true));
