import { Injectable, Module } from '@nestjs/common';
import { type CollectionService, InjectService } from 'doorward';
import { startTestApp } from 'doorward/testing';

/** A separate program: it ends only if the refused start left nothing open. */
@Injectable()
class Reader {
  constructor(@InjectService('nots') readonly nots: CollectionService) {}
}

@Module({ providers: [Reader] })
class ReaderModule {}

startTestApp({ imports: [ReaderModule], logger: false }).then(
  () => console.log('started'),
  (error: unknown) => console.log(`refused: ${String(error)}`),
);
