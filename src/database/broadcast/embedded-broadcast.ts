import type { EmbeddedServer } from '../embedded/embedded-server';
import { Broadcast } from './broadcast';

/** The database in this process publishes before it answers the COMMIT. */
export class EmbeddedBroadcast extends Broadcast {
  readonly current = true;

  constructor(server: EmbeddedServer) {
    super();
    server.subscribe({
      onMessage: (payload) => this.publish(payload),
      onGap: () => this.publishGap(),
    });
  }
}
