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

/** What a query is answered with: an aggregate is one row, or, with groups, a list of them. */
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
    if (this.of === 'item') return 'limit' in args;
    return this.of === 'list' || namesGroups(args);
  }
}

/** Without groups an aggregate is of all items together, and its limit is without effect. */
const namesGroups = ({ groupBy }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(groupBy) && groupBy.length > 0;

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
 * For a query of one item, or of a list or an aggregate, whose rows are counted before they are read. Its answer is
 * subtracted from what all the queries of its request may return. A guard and not an interceptor: an observable for
 * each operation costs more than all that is counted.
 */
export const Budgeted = (of: Answered): MethodDecorator =>
  applyDecorators(UseGuards(new RowBudgetGuard(of)), SetMetadata(BUDGETED, true));
