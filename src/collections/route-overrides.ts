import { Injectable, type OnModuleInit, RequestMethod, type Type } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService } from '@nestjs/core';
import { ROUTE_ACCESS, type RouteAccess, writtenAccess } from '../common/request/access.decorators';
import { refuseBareOverrides, type Repeated } from './overrides';

/** Refuses the start where a controller overrides a route without its decorators. */
@Injectable()
export class RouteOverrides implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { metatype } of this.discovery.getControllers()) {
      if (metatype) refuseBareOverrides(metatype as Type<object>, ROUTE);
    }
  }
}

const ROUTE: Repeated = {
  isDecorated: (method, owner) =>
    Reflect.hasMetadata(METHOD_METADATA, method) &&
    (Reflect.hasMetadata(ROUTE_ACCESS, method) || Reflect.hasMetadata(ROUTE_ACCESS, owner)),
  written: (method) => {
    const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod];
    const path = Reflect.getMetadata(PATH_METADATA, method) as string;
    const code = Reflect.getMetadata(HTTP_CODE_METADATA, method) as number | undefined;
    const access = Reflect.getMetadata(ROUTE_ACCESS, method) as RouteAccess;
    return [
      `@${titled(verb)}(${path === '/' ? '' : `'${path}'`})`,
      ...(code === undefined ? [] : [`@HttpCode(${code})`]),
      writtenAccess(access),
    ].join(' ');
  },
};

const titled = (word: string): string => word.charAt(0) + word.slice(1).toLowerCase();
