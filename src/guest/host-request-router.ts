import { Injectable } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { answerWith, noRouteFor, fromExpress } from '../common/errors';
import { adapterOf } from '../common/http/adapter-of';
import { deferAcceptedBody } from '../common/http/accepted-bodies';
import { closeBody } from '../common/http/bodies';
import { observeRequests } from '../common/http/observe-requests';
import { prefixOf } from '../common/http/prefix';
import { requestHandlers } from '../common/http/request-handlers';
import { serviceExpress } from '../common/http/service-express';
import { RequestMetrics } from '../common/metrics/request-metrics';
import { AppConfig } from '../config/app-config';
import { StartupError } from '../config/startup-error';
import { endpointPaths, ENDPOINTS } from '../graphql';
import { answerUniformly } from '../registration';
import { markControllers } from './own-controllers';
import { OwnPaths } from './own-paths';

/**
 * Separates our requests from those of the host application: before its middleware sees them, and again where no route
 * took them. It is installed before any middleware of the application.
 */
@Injectable()
export class HostRequestRouter {
  private service: Express | undefined;

  constructor(
    private readonly host: HttpAdapterHost<ExpressAdapter>,
    private readonly application: ApplicationConfig,
    private readonly config: AppConfig,
    private readonly discovery: DiscoveryService,
    private readonly requests: RequestMetrics,
  ) {
    // In tests of Nest's the modules are created before the HTTP adapter exists.
    if (adapterOf(host)) this.open();
    else host.init$.subscribe(() => this.open());
  }

  /** Call this when every route exists, and before the application answers «not found» itself. */
  refuseUnserved(): void {
    adapterOf(this.host)?.use((request: Request, response: Response, next: NextFunction) => {
      if (!this.isAdopted(request)) return next();
      answerWith(response, noRouteFor(request));
    });
  }

  /** The request with our settings, which determine the caller's address and origin, whichever route it goes to. */
  withServiceSettings<T extends Request>(request: T): T {
    if (this.isAdopted(request)) return request;
    return Object.create(request, { app: { value: this.service } }) as T;
  }

  private isAdopted({ app }: Request): boolean {
    return (app as object) === this.service;
  }

  private open(): void {
    const httpAdapter = adapterOf(this.host);
    if (!httpAdapter) return;
    if (httpAdapter.getType() !== 'express') {
      throw new StartupError(
        'DoorwardModule needs an application on Express (NestExpressApplication).',
      );
    }
    const app = httpAdapter.getInstance<Express>();
    const words = markControllers(this.discovery);
    const prefix = (): string => prefixOf(this.application);
    const paths = new OwnPaths(app, words, prefix, ENDPOINTS.items);
    const service = serviceExpress(app, this.config.trustProxy, () =>
      this.application.getGlobalFilters(),
    );
    this.service = service;
    const follow = observeRequests(
      (ended) => this.requests.note(ended),
      () => endpointPaths(prefix()),
    );
    const handlers = express.Router().use(requestHandlers(this.config, follow), answerUniformly);
    httpAdapter.use((request: Request, response: Response, next: NextFunction) => {
      if (!paths.has(request)) return deferAcceptedBody(request, response, next);
      adopt(service, request, response);
      return handlers(request, response, (error?: unknown) => {
        const fault = error ?? paths.faultOf(request);
        // The application's own parser would turn a missing body into an empty object.
        closeBody(request);
        if (fault === undefined) next();
        else answerWith(response, fromExpress(fault));
      });
    });
  }
}

function adopt(service: Express, request: Request, response: Response): void {
  Object.setPrototypeOf(request, service.request as object);
  Object.setPrototypeOf(response, service.response as object);
  // Express sets this header before any middleware runs.
  response.removeHeader('X-Powered-By');
}
