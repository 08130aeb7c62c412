import type { Request, Response } from 'express';
import type { OperationSlots } from './operation-slots';
import type { RequestBudget } from './request-budget';

/** The GraphQL context of the service's endpoints; Nest's `@Context()` gives it to a resolver's method. */
export interface GraphqlContext {
  /** The HTTP request; the operations of one document share it. */
  readonly request: Request;
  /** Its answer, for headers and cookies. */
  readonly response: Response;
  /** What the queries of the request may still read and answer; `@Budget()` gives the part for reads. */
  readonly budget: RequestBudget;
  /** In which its operations run. */
  readonly slots: OperationSlots;
  /** Results of operations that were resolved before graphql-js executes the query, by their names in the answer. */
  readonly answers: Map<string | number, Promise<unknown>>;
}
