import type { EmbeddedServer } from '../embedded/embedded-server';
import { Broadcast } from './broadcast';

/** The database in this process says what it is told before it answers the COMMIT. */
export class EmbeddedBroadcast extends Broadcast {
  readonly current = true;

  constructor(server: EmbeddedServer) {
    super();
    server.listen({
      hears: (payload) => this.tell(payload),
      missed: () => this.tellMissed(),
    });
  }
}
