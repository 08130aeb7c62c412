import { Controller } from '@nestjs/common';
import { ItemsController } from '../collections';
import { RequirePermissionOrUser } from '../common/request/access.decorators';
import { Comment } from './comment.entity';

/** The routes of comments on items. */
@Controller('comments')
export class CommentsController extends ItemsController(Comment, RequirePermissionOrUser) {}
