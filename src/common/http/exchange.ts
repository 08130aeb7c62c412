import type { Request, Response } from 'express';

/** A request and the answer that goes with it, whatever the door. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}
