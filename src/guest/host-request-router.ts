import { Injectable } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { answerWith, noRouteFor, fromExpress } from '../common/errors';
import { leaveAccepted } from '../common/http/accepted-bodies';
import { closeBody } from '../common/http/bodies';
import { followRequests } from '../common/http/follow-requests';
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
 * Where requests to us leave the way of all others through an application that exists: before anything of it reads
 * them, and again where no route has taken them. It is set up before any middleware of the application's own.
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
    // In a test the modules are made before the application is.
    if (host.httpAdapter) this.open();
    else host.init$.subscribe(() => this.open());
  }

  /** To be called after every route is there, and before the application says itself that there is none. */
  refuseUnserved(): void {
    this.host.httpAdapter.use((request: Request, response: Response, next: NextFunction) => {
      if (!this.isAdopted(request)) return next();
      answerWith(response, noRouteFor(request));
    });
  }

  /** The request with our settings, whichever route it goes to: they determine the caller's address and origin. */
  seen<T extends Request>(request: T): T {
    if (this.isAdopted(request)) return request;
    return Object.create(request, { app: { value: this.service } }) as T;
  }

  private isAdopted({ app }: Request): boolean {
    return (app as object) === this.service;
  }

  private open(): void {
    const { httpAdapter } = this.host;
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
    const follow = followRequests(
      (ended) => this.requests.note(ended),
      () => endpointPaths(prefix()),
    );
    const handlers = express.Router().use(requestHandlers(this.config, follow), answerUniformly);
    httpAdapter.use((request: Request, response: Response, next: NextFunction) => {
      if (!paths.has(request)) return leaveAccepted(request, response, next);
      adopt(service, request, response);
      return handlers(request, response, (error?: unknown) => {
        const fault = error ?? paths.faultOf(request);
        // The application's own parser would make an empty object of nothing.
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
  // Express says its name before anybody is asked.
  response.removeHeader('X-Powered-By');
}
