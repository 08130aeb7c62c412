import type { CustomFetch } from 'openid-client';
import { Deadline } from '../../common/deadline';
import { isRecord } from '../../common/is-object';
import { type Answer, boundedFetch } from './bounded-fetch';
import { checkAnswer, jsonOf } from './provider-answers';

const FRESH = 300_000;
/** Tokens that name unknown keys cause one request in this time, however many there are. */
const PAUSE = 5_000;

interface Keys {
  readonly answer: Answer;
  readonly ids: ReadonlySet<unknown>;
  /** Until then they are used without asking again. */
  readonly fresh: Deadline;
}

/**
 * The keys with which a provider signs. They are requested again after five minutes, and at once for a token that names
 * a key that they lack, since a provider may replace them at any time. The library would ask again only a minute after
 * its last request, and until then refuse every sign-in.
 */
export class ProviderKeys {
  private cached: Keys | undefined;
  private asking: Promise<Keys> | undefined;
  private nextLook = new Deadline(0);

  /**
   * @param key the id of the key that is needed, if the token names one
   * @throws ProviderUnreachable
   */
  async get(request: Parameters<CustomFetch>, key: unknown): Promise<Answer> {
    const { cached } = this;
    if (cached?.answer.url === request[0] && cached.fresh.left > 0) {
      if (key === undefined || cached.ids.has(key)) return cached.answer;
      if (!this.asking && this.nextLook.left > 0) return cached.answer;
      this.nextLook = new Deadline(PAUSE);
    }
    this.asking ??= this.ask(request).finally(() => (this.asking = undefined));
    return (await this.asking).answer;
  }

  private async ask(request: Parameters<CustomFetch>): Promise<Keys> {
    const answer = await boundedFetch(...request);
    checkAnswer(answer, ['keys']);
    this.cached = { answer, ids: idsIn(answer), fresh: new Deadline(FRESH) };
    return this.cached;
  }
}

function idsIn(answer: Answer): ReadonlySet<unknown> {
  const keys = jsonOf(answer)?.['keys'];
  const each: readonly unknown[] = Array.isArray(keys) ? keys : [];
  return new Set(each.filter(isRecord).map((key) => key['kid']));
}
