import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { requestOf } from '../common/request/transport';
import { Throttle } from './throttle';

/** Counts each request to the route, before anything is read. Over GraphQL each alias of the operation counts. */
@Injectable()
export class RequestLimitGuard implements CanActivate {
  constructor(private readonly throttle: Throttle) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.throttle.countRequest(requestOf(context));
    return true;
  }
}
