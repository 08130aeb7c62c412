import { faultOf, mayHaveChanged } from './judge';
import { Random } from './random';
import { GraphqlRequests } from './requests/graphql';
import type { FuzzRequest, Known } from './requests/request';
import { RestRequests } from './requests/rest';
import type { FuzzReply, Sender } from './sender';
import type { Stored } from './stored';
import type { Surface } from './surface';

export interface Setting {
  readonly seed: number;
  readonly surface: Surface;
  readonly known: Known;
  readonly people: readonly (string | null)[];
  readonly sender: Sender;
  readonly stored: Stored;
  readonly connections: number;
}

interface Played {
  readonly index: number;
  readonly request: FuzzRequest;
  readonly reply: FuzzReply;
}

const BATCH = 250;
const MAX_FAULTS = 10;
const SHOWN = 1500;

/** Sends batches of requests, each on the same stored rows, and checks every answer and the stored rows. */
export class Campaign {
  readonly faults: string[] = [];
  readonly statuses = new Map<number, number>();
  private readonly judged = new Set<number>();

  constructor(private readonly setting: Setting) {}

  async run(from: number, until: number): Promise<void> {
    for (let first = from; first < until && this.faults.length < MAX_FAULTS; first += BATCH) {
      const count = Math.min(BATCH, until - first);
      await this.batch(Array.from({ length: count }, (_, index) => first + index));
    }
  }

  /** Any request of the campaign, without those before it. */
  request(index: number): FuzzRequest {
    const { seed, surface, known, people } = this.setting;
    const random = Random.of(seed, index);
    const kind = random.chance(0.6) ? RestRequests : GraphqlRequests;
    return new kind(surface, known, random).make(random.pick(people));
  }

  private async batch(indexes: readonly number[]): Promise<void> {
    const played = await this.play(indexes);
    for (const each of played) {
      this.statuses.set(each.reply.status, (this.statuses.get(each.reply.status) ?? 0) + 1);
    }
    await this.judgeStored(played);
  }

  private judge({ index, request, reply }: Played): void {
    const fault = faultOf(request, reply);
    if (fault === undefined || this.judged.has(index)) return;
    this.judged.add(index);
    this.report(index, request, fault, reply);
  }

  private async play(indexes: readonly number[]): Promise<Played[]> {
    const left = indexes.values();
    const played: Played[] = [];
    const work = async (): Promise<void> => {
      for (const index of left) {
        const request = this.request(index);
        const reply = await this.setting.sender.send(request).catch((error: unknown) => {
          this.report(index, request, `no answer: ${String(error)}`);
        });
        if (!reply) continue;
        played.push({ index, request, reply });
        // Sent again, a request may have other rights than the first time.
        this.judge({ index, request, reply });
      }
    };
    await Promise.all(Array.from({ length: this.setting.connections }, work));
    return played.sort((one, other) => one.index - other.index);
  }

  /** Only requests that were not refused may change rows. To check that, the refused ones are sent again alone. */
  private async judgeStored(played: readonly Played[]): Promise<void> {
    let refused = played;
    while (refused.some(({ request, reply }) => mayHaveChanged(request, reply))) {
      refused = refused.filter(({ request, reply }) => !mayHaveChanged(request, reply));
      await this.setting.stored.restore();
      refused = await this.play(refused.map(({ index }) => index));
    }
    if ((await this.changes()).length > 0) await this.blame(refused.map(({ index }) => index));
  }

  private async changes(): Promise<string[]> {
    const { before } = this.setting.stored;
    return (await this.setting.stored.digests()).filter((digest, at) => digest !== before[at]);
  }

  /** Finds the refused request that changed something, by bisection. */
  private async blame(indexes: readonly number[]): Promise<void> {
    let suspects = indexes;
    while (suspects.length > 1) {
      const half = suspects.slice(0, suspects.length >> 1);
      suspects = (await this.changedBy(half)) ? half : suspects.slice(half.length);
    }
    const [culprit] = suspects;
    if (culprit === undefined) return;
    const alone = await this.changedBy([culprit]);
    const tables = (await this.changes()).map((digest) => digest.split(' ')[0]).join(', ');
    const what = alone
      ? `changed ${tables} and was refused`
      : `one of ${indexes.join(', ')} changed something, together with others`;
    this.report(culprit, this.request(culprit), what);
    await this.setting.stored.restore();
  }

  private async changedBy(indexes: readonly number[]): Promise<boolean> {
    await this.setting.stored.restore();
    await this.play(indexes);
    return (await this.changes()).length > 0;
  }

  private report(index: number, request: FuzzRequest, fault: string, reply?: FuzzReply): void {
    const { caller, method, path, headers, body } = request;
    this.faults.push(
      [
        `${fault}: FUZZ_SEED=${this.setting.seed} FUZZ_ONLY=${index}`,
        `${method} ${shortened(path)} as ${caller ?? 'nobody'} ${JSON.stringify(headers)}`,
        ...(body ? [shortened(body.toString())] : []),
        ...(reply ? [`→ ${reply.status} ${shortened(reply.text)}`] : []),
      ].join('\n'),
    );
  }
}

const shortened = (text: string): string =>
  text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length})`;
