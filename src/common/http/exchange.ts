import type { Request, Response } from 'express';

/** A request and its response, for REST and GraphQL alike. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}
