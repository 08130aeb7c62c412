import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import type { GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from './graphql-context';

export const BUDGETED = 'doorward:budgeted';

/** Subtracts a query's rows from what all the queries of its request may return. */
class RowBudgetGuard implements CanActivate {
  constructor(private readonly isList: boolean) {}

  canActivate(context: ExecutionContext): boolean {
    const [, args, { budget }] = context.getArgs<[unknown, object, GraphqlContext]>();
    if ('limit' in args || this.isList) budget.takeRows('limit' in args ? args.limit : undefined);
    return true;
  }
}

/** Takes the keys of deleted items, which are answered as they were sent, before they are deleted. */
class KeysBudgetGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const [, args, { budget }, info] =
      context.getArgs<[unknown, object, GraphqlContext, GraphQLResolveInfo]>();
    budget.take(args, info);
    return true;
  }
}

/** Of an operation that is answered with the keys which it is sent. */
export const AnswersKeys = (): MethodDecorator => UseGuards(new KeysBudgetGuard());

/**
 * For a query of one item, or of a list, whose rows are counted before they are read. Its answer is subtracted from
 * what all the queries of its request may return. A guard and not an interceptor: an observable for each operation
 * costs more than all that is counted.
 */
export const Budgeted = (of: 'item' | 'list'): MethodDecorator =>
  applyDecorators(UseGuards(new RowBudgetGuard(of === 'list')), SetMetadata(BUDGETED, true));
