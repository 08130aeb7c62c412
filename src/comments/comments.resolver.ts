import { Inject } from '@nestjs/common';
import { Resolver } from '@nestjs/graphql';
import { RequirePermissionOrUser } from '../common/request/access.decorators';
import { ItemsResolver } from '../graphql';
import { Comment } from './comment.entity';
import { CommentsService } from './comments.service';

/** The operations of comments. */
@Resolver()
export class CommentsResolver extends ItemsResolver(Comment, RequirePermissionOrUser) {
  constructor(@Inject(CommentsService) comments: CommentsService) {
    super(comments);
  }
}
