import { Module } from '@nestjs/common';
import { ServerModule } from '../server.module';
import { LandingController } from './landing.controller';

/** What stands at `/`, in an application of our own: in somebody else's that path is theirs. */
@Module({ imports: [ServerModule], controllers: [LandingController] })
export class LandingModule {}
