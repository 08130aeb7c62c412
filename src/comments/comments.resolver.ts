import { Resolver } from '@nestjs/graphql';
import { RequirePermissionOrUser } from '../common/request/access.decorators';
import { ItemsResolver } from '../graphql';
import { Comment } from './comment.entity';

/** The operations of comments. */
@Resolver()
export class CommentsResolver extends ItemsResolver(Comment, RequirePermissionOrUser) {}
