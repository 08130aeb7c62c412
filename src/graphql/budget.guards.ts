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

/** What a query is answered with. An aggregate is one row or, with groups, a list. */
type Answered = 'item' | 'list' | 'aggregate';

/** Subtracts a query's rows from what all the queries of its request may return. */
class RowBudgetGuard implements CanActivate {
  constructor(private readonly of: Answered) {}

  canActivate(context: ExecutionContext): boolean {
    const [, args, { budget }] =
      context.getArgs<[unknown, Readonly<Record<string, unknown>>, GraphqlContext]>();
    if (this.isList(args)) budget.takeRows(args['limit']);
    return true;
  }

  private isList(args: Readonly<Record<string, unknown>>): boolean {
    return this.of === 'list' || (this.of === 'aggregate' && namesGroups(args));
  }
}

/** Without groups an aggregate is one row, and its limit has no effect. */
const namesGroups = ({ groupBy }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(groupBy) && groupBy.length > 0;

/** Subtracts the keys of items to delete, before they are deleted: the answer repeats them. */
class KeysBudgetGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const [, args, { budget }, info] =
      context.getArgs<[unknown, object, GraphqlContext, GraphQLResolveInfo]>();
    budget.take(args, info);
    return true;
  }
}

/** For an operation whose answer is the keys that it was sent. */
export const AnswersKeys = (): MethodDecorator => UseGuards(new KeysBudgetGuard());

/**
 * For a query of an item, a list or an aggregate. Its rows are subtracted, before they are read, from what all queries
 * of the request may return. A guard and not an interceptor: an observable for each operation would cost more than the
 * counting.
 */
export const Budgeted = (of: Answered): MethodDecorator =>
  applyDecorators(UseGuards(new RowBudgetGuard(of)), SetMetadata(BUDGETED, true));
