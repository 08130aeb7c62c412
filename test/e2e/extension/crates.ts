import {
  Collection,
  type CollectionHooks,
  CollectionsModule,
  Field,
  HooksOf,
  type Payload,
  type PayloadContext,
} from 'doorward';
import { seed, type World } from '../../factories';
import { startTestApp, type TestAppOptions } from '../../support';

@Collection('crates')
class Crate {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
}

/** What happens before a crate with a title is created. */
type BeforeCreate = (title: string, context: PayloadContext) => void | Promise<void>;

/** @param before may throw, as hooks of teams do; at once, or in its promise */
export async function startCrates(
  before: BeforeCreate,
  options: Pick<TestAppOptions, 'logger'> = {},
): Promise<World> {
  @HooksOf(Crate)
  class CrateHooks implements CollectionHooks {
    afterCreate(): void {
      // It only has to exist: the write then takes a transaction of several statements.
    }

    beforeCreate(payload: Payload, context: PayloadContext): Payload | Promise<Payload> {
      const waiting = before(String(payload['title']), context);
      return waiting ? waiting.then(() => payload) : payload;
    }
  }
  const module = { module: class Crates {}, providers: [CrateHooks] };
  const imports = [CollectionsModule.forFeature([Crate]), module];
  return seed(await startTestApp({ imports, synchronize: true, ...options }));
}
