import { HttpStatus } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA } from '@nestjs/common/constants';
import type { Express, NextFunction, Request, Response } from 'express';
import { routesOf } from '../common/http/routes';
import { UniformAnswerFilter } from './uniform-answer.filter';

/** A registration that cannot be read gets the same answer as any other. */
export function answerUniformly(
  error: unknown,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  const route = routesOf(request.app as Express).find(request.method, request.path);
  if (!route || !isUniform(route.handler)) return next(error);
  response.status(HttpStatus.NO_CONTENT).end();
}

const isUniform = (handler: object): boolean =>
  ((Reflect.getMetadata(EXCEPTION_FILTERS_METADATA, handler) ?? []) as unknown[]).includes(
    UniformAnswerFilter,
  );
