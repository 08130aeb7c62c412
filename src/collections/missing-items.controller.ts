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
import { adapterOf } from '../common/http/adapter-of';
import { RequirePermission } from '../common/request/access.decorators';
import { Undescribed } from '../common/request/describe.decorator';
import { Forbidden } from '../common/errors';

const EITHER = ['', ':id'];
const LAST = 'doorward:last';

const Missing = (action: 'create' | 'read' | 'update' | 'delete'): MethodDecorator =>
  applyDecorators(RequirePermission(action), SetMetadata(LAST, true));

/**
 * Answers for items of unknown collections, and for unsupported methods: the caller is identified as everywhere, and
 * gets the same answer as for a hidden collection.
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

/** Its routes are tried after all others, wherever the collections' modules are in the application. */
@Module({ controllers: [MissingItemsController] })
export class MissingItemsModule implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const express = adapterOf(this.host)?.getInstance<Express>();
    if (!express) return;
    const { router } = express;
    (router.stack as Layer[]).sort((a, b) => Number(isLast(a)) - Number(isLast(b)));
  }
}

/** A layer of Express's router; the handler has the method's metadata. */
interface Layer {
  readonly route?: { readonly stack: readonly { readonly handle: object }[] };
}

const isLast = ({ route }: Layer): boolean =>
  route?.stack.some(({ handle }) => isTriedLast(handle)) === true;

/** @param method of a controller, or the handler Nest makes of it */
export const isTriedLast = (method: object): boolean => Reflect.hasMetadata(LAST, method);
