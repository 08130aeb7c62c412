import { ApplicationConfig } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';
import { headersOfAnswers } from './common/http/common-headers';
import { observeRequests } from './common/http/observe-requests';
import { logRequest, logUnread } from './common/http/request-log';
import { prefixOf } from './common/http/prefix';
import { answerForNode } from './common/http/raw-answers';
import { requestHandlers } from './common/http/request-handlers';
import { setUpExpress } from './common/http/service-express';
import { RequestMetrics } from './common/metrics/request-metrics';
import type { AppConfig } from './config/app-config';
import { endpointPaths } from './graphql';
import { answerUniformly } from './registration';

/** Everything about the HTTP side that is not a module, where the service is standalone; the same for its tests. */
export function setUpApp(app: NestExpressApplication, config: AppConfig): void {
  const express = app.getHttpAdapter().getInstance() as Express;
  const application = app.get(ApplicationConfig);
  setUpExpress(express, config.trustProxy, () => application.getGlobalFilters());
  const requests = app.get(RequestMetrics);
  const follow = observeRequests(
    (ended, request) => {
      requests.note(ended);
      if (config.log.requests) logRequest(ended, request);
    },
    () => endpointPaths(prefixOf(application)),
  );
  const headers = headersOfAnswers(config.publicUrl);
  answerForNode(app.getHttpServer(), headers, (unread) => {
    requests.noteUnread(unread.status);
    if (config.log.requests) logUnread(unread);
  });
  app.use(requestHandlers(config, follow));
  app.use(answerUniformly);
}
