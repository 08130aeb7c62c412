import {
  applyDecorators,
  Controller,
  Delete,
  Get,
  Module,
  type OnModuleInit,
  Patch,
  Post,
  Search,
  SetMetadata,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { RequirePermission } from '../common/request/access.decorators';
import { Undescribed } from '../common/request/describe.decorator';
import { Forbidden } from '../common/errors';

const EITHER = ['', ':id'];
const LAST = 'doorward:last';

const Missing = (action: 'create' | 'read' | 'update' | 'delete'): MethodDecorator =>
  applyDecorators(RequirePermission(action), SetMetadata(LAST, true));

/**
 * Where items would be if there were such a collection, or if it took the method: whoever asks is identified as
 * everywhere, and answered as if it were hidden.
 */
@Controller('items/:collection')
@Undescribed('where there is no such collection')
class MissingItemsController {
  @Get(EITHER)
  @Missing('read')
  read(): never {
    throw new Forbidden({});
  }

  @Search()
  @Missing('read')
  search(): never {
    throw new Forbidden({});
  }

  @Post()
  @Missing('create')
  create(): never {
    throw new Forbidden({});
  }

  @Patch(EITHER)
  @Missing('update')
  update(): never {
    throw new Forbidden({});
  }

  @Delete(EITHER)
  @Missing('delete')
  delete(): never {
    throw new Forbidden({});
  }
}

/** Its routes are tried after all others, wherever in an application its collections' modules stand. */
@Module({ controllers: [MissingItemsController] })
export class MissingItemsModule implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const { router } = this.host.httpAdapter.getInstance<Express>();
    (router.stack as Layer[]).sort((a, b) => Number(isLast(a)) - Number(isLast(b)));
  }
}

/** Of Express's router; the handler bears what the method's decorators say. */
interface Layer {
  readonly route?: { readonly stack: readonly { readonly handle: object }[] };
}

const isLast = ({ route }: Layer): boolean =>
  route?.stack.some(({ handle }) => isTriedLast(handle)) === true;

/** @param method of a controller, or what Nest makes of it */
export const isTriedLast = (method: object): boolean => Reflect.hasMetadata(LAST, method);
