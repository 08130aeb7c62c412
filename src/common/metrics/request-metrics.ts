import { Injectable } from '@nestjs/common';
import { Histogram } from 'prom-client';
import type { FinishedRequest } from '../http/observe-requests';
import { UNREADABLE } from '../http/raw-answers';
import { Metrics } from './metrics';

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests and their durations by the pattern of the route, not by path: the number of paths is unlimited. */
@Injectable()
export class RequestMetrics {
  private readonly seconds: Histogram<'method' | 'route' | 'status'>;

  constructor({ registry }: Metrics) {
    this.seconds = new Histogram({
      name: 'doorward_http_request_duration_seconds',
      help: 'Requests by method, pattern of the route and status; 499: the client left before its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [registry],
    });
  }

  /** Input that was refused before it was a request. */
  noteUnread(status: number): void {
    this.note({ method: 'unknown', route: UNREADABLE, status, milliseconds: 0 });
  }

  note({ method, route, status, milliseconds }: Omit<FinishedRequest, 'bytes'>): void {
    this.seconds.observe({ method, route, status }, milliseconds / 1000);
  }
}
