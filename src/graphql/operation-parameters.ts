import type { ExecutionContext } from '@nestjs/common';
import type { GraphQLResolveInfo } from 'graphql';
import { providedParameter } from '../common/request/provided-parameter';
import type { AnswerBudget } from '../repository';
import type { GraphqlContext } from './graphql-context';

export type Arguments = Readonly<Record<string, unknown>>;

/** The indexes of what Nest passes to a method: the first is the HTTP request, where guards look for it. */
const ARGUMENTS = 1;
const CONTEXT = 2;
const INFO = 3;

/** The operation's arguments without those that are null: clients send null for a variable that they leave out. */
export const argumentsOf = (context: ExecutionContext): Arguments =>
  Object.fromEntries(
    Object.entries(context.getArgByIndex<Arguments>(ARGUMENTS)).filter(
      ([, value]) => value !== null,
    ),
  );

/**
 * The arguments of the GraphQL operation, by name, without those that are null: `@Arguments() { id }: Arguments`. A
 * pipe reads them into an input class: `@Arguments(reading(LoginInput)) input: LoginInput`.
 */
export const Arguments = providedParameter(
  (_, context): Arguments => argumentsOf(context),
  // A class of input is for pipes. For the type `Arguments`, SWC emits this function.
  (type) => type === Arguments,
);

/**
 * The `AnswerBudget` of the HTTP request, which all its GraphQL operations share. Pass it to `CollectionService.list`
 * and `.one`, so that a document with many operations reads no more than one:
 *
 *     list(@CurrentCaller() caller: Caller, @Budget() budget: AnswerBudget) {
 *       return this.invoices.list(caller, { fields: ['number'] }, budget);
 *     }
 */
export const Budget = providedParameter(
  (_, context): AnswerBudget => context.getArgByIndex<GraphqlContext>(CONTEXT).budget.reading,
);

/**
 * graphql-js's `GraphQLResolveInfo` of the operation: what it selects, its fragments and variables. `selectionOf(info)`
 * turns the selection into a query.
 */
export const ResolveInfo = providedParameter((_, context): GraphQLResolveInfo =>
  context.getArgByIndex(INFO),
);
