import { setTimeout as sleep } from 'node:timers/promises';
import type { People } from './people';
import { Sender } from './sender';
import { Tally } from './tally';
import { Reader, RightsChanger, Visitor } from './watchers';
import { Writer } from './writer';

export { makePeople, type People } from './people';
export { Tally } from './tally';

interface Worker {
  step(): Promise<void>;
}

/**
 * Mixed reads and writes of several users over REST and GraphQL; every answer is compared with the expected one.
 */
export class Traffic {
  readonly tally = new Tally();
  private readonly writers: readonly Writer[];
  private readonly workers: readonly Worker[];
  private running: Promise<unknown> = Promise.resolve();
  private stopped = false;

  /**
   * @param urls used in turn: that of a balancer, or those of all instances
   * @param pause between an answer and the user's next request, in ms
   */
  constructor(
    urls: readonly string[],
    people: People,
    private readonly pause: number,
  ) {
    const { tally } = this;
    const nobody = new Sender(urls, tally);
    const { administrator, reader, guest, guestPolicy } = people;
    this.writers = people.writers.map((person): Writer => {
      const others = (): Writer[] => this.writers.filter((other) => other.person !== person);
      return new Writer(person, nobody.as(person.token), tally, others);
    });
    const [admin, visitor] = [nobody.as(administrator.token), nobody.as(guest.token)];
    this.workers = [
      ...this.writers,
      new Reader(nobody.as(reader.token), tally),
      new RightsChanger(admin, visitor, guestPolicy, tally),
      new Visitor(nobody, people, tally),
    ];
  }

  start(): void {
    this.stopped = false;
    this.running = Promise.all(this.workers.map((worker) => this.run(worker)));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /** Checks that the instance has everything that was acknowledged, and nothing else. Faults go into the tally. */
  async review(url: string): Promise<void> {
    const nobody = new Sender([url], new Tally());
    for (const writer of this.writers) {
      const found = await writer.review(nobody.as(writer.person.token));
      for (const fault of found ?? ['what there is cannot be read']) {
        this.tally.fault(`in the end ${writer.person.email}: ${fault}`);
      }
    }
  }

  /** @returns the number of rows that certainly exist */
  get rows(): number {
    return this.writers.reduce((sum, { ledger }) => sum + ledger.certain.length, 0);
  }

  private async run(worker: Worker): Promise<void> {
    while (!this.stopped) {
      await worker.step();
      await sleep(this.pause);
    }
  }
}
