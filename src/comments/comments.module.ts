import { Module } from '@nestjs/common';
import { serviceCollections } from '../collections';
import { AuthorRights } from './author-rights';
import { CommentRemoval } from './comment-removal';
import { CommentTargets } from './comment-targets';
import { Comment } from './comment.entity';
import { CommentHooks } from './comment.hooks';
import { CommentsController } from './comments.controller';
import { CommentsResolver } from './comments.resolver';

@Module({
  imports: [serviceCollections([Comment], { routes: false })],
  controllers: [CommentsController],
  providers: [CommentTargets, CommentHooks, CommentRemoval, AuthorRights, CommentsResolver],
})
export class CommentsModule {}
