import { setTimeout as sleep } from 'node:timers/promises';
import type { People } from './people';
import type { Outcome, Sender } from './sender';
import type { Tally } from './tally';

/**
 * After this time the requests that an instance had when it was killed have been carried out, or never will be; in ms.
 */
const SETTLES = 1_000;
const LOOKS = 3;
/** The time within which a change must be in force on other instances, in ms; usually it takes one or two. */
const LATEST = 1_000;

/** Sends requests until the answer is the expected one. A delay is recorded, and a long one is a fault. */
async function settles(
  what: string,
  tally: Tally,
  ask: () => Promise<Outcome>,
  expected: number,
): Promise<void> {
  const began = performance.now();
  for (let late = false; ; late = true) {
    const { known, status } = await ask();
    if (!known) return;
    const lag = performance.now() - began;
    if (status !== expected && lag < LATEST) continue;
    tally.compared += 1;
    if (late) tally.lags.push(lag);
    if (status !== expected) tally.fault(`${what} got ${status}, not ${expected}, for ${lag} ms`);
    return;
  }
}

/** Reads published articles, and must see nothing else. */
export class Reader {
  constructor(
    private readonly sender: Sender,
    private readonly tally: Tally,
  ) {}

  async step(): Promise<void> {
    const hidden = encodeURIComponent(JSON.stringify({ qty: { _gt: 0 } }));
    const [rows, refused] = await Promise.all([
      this.sender.send('GET', '/items/articles?fields=*&limit=25&sort=-id'),
      this.sender.send('GET', `/items/articles?filter=${hidden}`),
    ]);
    if (refused.known && refused.status !== 403) {
      this.tally.fault(`the reader filtered by a hidden field: ${refused.status}`);
    }
    if (!rows.known) return;
    if (rows.status !== 200) return this.tally.fault(`the reader was answered with ${rows.status}`);
    this.tally.compared += 1;
    for (const row of rows.data as readonly Record<string, unknown>[]) {
      const names = Object.keys(row).toSorted().join();
      if (names === 'id,status,title' && row['status'] === 'published') continue;
      this.tally.fault(`the reader was shown ${JSON.stringify(row)}`);
    }
  }
}

/** Gives the guest a right and takes it away again. Every instance must follow. */
export class RightsChanger {
  constructor(
    private readonly admin: Sender,
    private readonly guest: Sender,
    private readonly policy: string,
    private readonly tally: Tally,
  ) {}

  async step(): Promise<void> {
    const { policy } = this;
    const rule = { policy, collection: 'tags', action: 'read', fields: ['id', 'name'] };
    const made = await this.admin.send('POST', '/permissions', rule);
    if (!this.isDone(made)) return this.clear();
    await this.look(200);
    const { id } = made.data as { id: number };
    if (!this.isDone(await this.admin.send('DELETE', `/permissions/${id}`))) return this.clear();
    await this.look(403);
  }

  private async look(expected: number): Promise<void> {
    for (let time = 0; time < LOOKS; time += 1) {
      const ask = (): Promise<Outcome> => this.guest.send('GET', '/items/tags?limit=1');
      await settles('the guest', this.tally, ask, expected);
    }
  }

  /** Deletes rules until it is certain that none is left. */
  private async clear(): Promise<void> {
    await sleep(SETTLES);
    const filter = encodeURIComponent(JSON.stringify({ policy: { _eq: this.policy } }));
    const found = await this.admin.send('GET', `/permissions?fields=id&filter=${filter}`);
    if (found.status !== 200) return this.clear();
    const ids = (found.data as readonly { id: number }[]).map(({ id }) => id);
    if (ids.length === 0) return;
    await this.admin.send('DELETE', '/permissions', ids);
    return this.clear();
  }

  private isDone({ known, status }: Outcome): boolean {
    if (!known) this.tally.unknown += 1;
    else if (status === 200 || status === 204) this.tally.acknowledged += 1;
    else this.tally.fault(`a rule was answered with ${status}`);
    return status === 200 || status === 204;
  }
}

/** Signs in and out: the session must then have ended on every instance. */
export class Visitor {
  constructor(
    private readonly nobody: Sender,
    private readonly people: People,
    private readonly tally: Tally,
  ) {}

  async step(): Promise<void> {
    const { email, password } = this.people.reader;
    const signedIn = await this.nobody.send('POST', '/auth/login', { email, password });
    if (!signedIn.known) return;
    if (signedIn.status !== 200) return this.tally.fault(`a sign-in got ${signedIn.status}`);
    const tokens = signedIn.data as { access_token: string; refresh_token: string };
    const visitor = this.nobody.as(tokens.access_token);
    await this.expects(visitor, 200);
    const { refresh_token } = tokens;
    const out = await this.nobody.send('POST', '/auth/logout', { refresh_token, mode: 'json' });
    if (out.known) await this.expects(visitor, 401);
  }

  private expects(visitor: Sender, expected: number): Promise<void> {
    const ask = (): Promise<Outcome> => visitor.send('GET', '/users/me?fields=id');
    return settles('the visitor', this.tally, ask, expected);
  }
}
