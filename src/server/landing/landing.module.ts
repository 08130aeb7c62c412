import { Module } from '@nestjs/common';
import { ServerModule } from '../server.module';
import { LandingController } from './landing.controller';

/** The page at `/`. Only in our own application: in a team's, that path is theirs. */
@Module({ imports: [ServerModule], controllers: [LandingController] })
export class LandingModule {}
