import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections';
import { CommentRemoval } from './comment-removal';
import { CommentTargets } from './comment-targets';
import { Comment } from './comment.entity';
import { CommentHooks } from './comment.hooks';
import { CommentsController } from './comments.controller';
import { CommentsResolver } from './comments.resolver';
import { CommentsService } from './comments.service';

@Module({
  imports: [CollectionsModule.forFeature([Comment], { system: true, routes: false })],
  controllers: [CommentsController],
  providers: [CommentTargets, CommentHooks, CommentRemoval, CommentsService, CommentsResolver],
})
export class CommentsModule {}
