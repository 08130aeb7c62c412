import { Controller, Delete, Get, Module, Patch, Post, Search } from '@nestjs/common';
import { RequirePermission } from '../common/request/access.decorators';
import { Forbidden } from '../common/errors';

const EITHER = ['', ':id'];

/**
 * Where items would be if there were such a collection, or if it took the method: whoever asks is identified as
 * everywhere, and answered as if it were hidden.
 */
@Controller('items/:collection')
class MissingItemsController {
  @Get(EITHER)
  @RequirePermission('read')
  read(): never {
    throw new Forbidden({});
  }

  @Search()
  @RequirePermission('read')
  search(): never {
    throw new Forbidden({});
  }

  @Post()
  @RequirePermission('create')
  create(): never {
    throw new Forbidden({});
  }

  @Patch(EITHER)
  @RequirePermission('update')
  update(): never {
    throw new Forbidden({});
  }

  @Delete(EITHER)
  @RequirePermission('delete')
  delete(): never {
    throw new Forbidden({});
  }
}

@Module({ controllers: [MissingItemsController] })
class MissingItems {}

/**
 * To be imported last: routes are tried in the order of their modules. Nest takes all imports of a dynamic module before
 * the imports of these, so that the routes must be one level below, as those of a team's collections are.
 */
@Module({ imports: [MissingItems] })
export class MissingItemsModule {}
