import type { Request, Response } from 'express';
import type { RequestBudget } from './request-budget';

/** What every resolver is handed by the endpoint; `@Context()` gives it. */
export interface GraphqlContext {
  readonly request: Request;
  readonly response: Response;
  readonly budget: RequestBudget;
}
