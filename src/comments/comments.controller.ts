import { Controller, Inject } from '@nestjs/common';
import { ItemsController } from '../collections';
import { RequirePermissionOrUser } from '../common/request/access.decorators';
import { Comment } from './comment.entity';
import { CommentsService } from './comments.service';

/** The routes of comments on items. */
@Controller('comments')
export class CommentsController extends ItemsController(Comment, RequirePermissionOrUser) {
  constructor(@Inject(CommentsService) comments: CommentsService) {
    super(comments);
  }
}
