import type { Request, Response } from 'express';
import type { RequestBudget } from './request-budget';

/** What every resolver is handed by the endpoint; `@Context()` gives it. */
export interface GraphqlContext {
  readonly request: Request;
  readonly response: Response;
  readonly budget: RequestBudget;
  /** What the operations of a query were answered with before graphql-js executes it, by their names in the answer. */
  readonly answers: Map<string | number, Promise<unknown>>;
}
