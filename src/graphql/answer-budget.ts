import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { type Observable, tap } from 'rxjs';
import type { GraphqlContext } from './graphql-context';

/** Takes the answer of a query from what all the queries of its request may be answered with. */
class AnswerBudgetInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const [, args, { budget }] = context.getArgs<[unknown, object, GraphqlContext]>();
    if ('limit' in args || this.isList) budget.takeRows('limit' in args ? args.limit : undefined);
    return next.handle().pipe(tap((answer: unknown) => budget.take(answer)));
  }

  constructor(private readonly isList: boolean) {}
}

/** Of a query: one of one item, or of a list, whose rows are counted before they are read. */
export const Budgeted = (of: 'item' | 'list'): MethodDecorator =>
  UseInterceptors(new AnswerBudgetInterceptor(of === 'list'));
