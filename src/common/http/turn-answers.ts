import type { ServerResponse } from 'node:http';

interface WaitingAnswer {
  readonly response: ServerResponse;
  readonly text: string;
}

/** How long an answer may wait for others while the turn goes on, in ms, and how many characters may wait. */
const MAX_WAIT = 1;
const MAX_CHARACTERS = 64 * 1024;

/**
 * Sends the answers of one turn of the event loop together, at its end. Each write to a client that sleeps wakes it,
 * which costs as much as a small request; written in a row, they wake it once.
 */
export class TurnAnswers {
  private waiting: WaitingAnswer[] = [];
  private characters = 0;
  private since = 0;

  /** @param onFailure called with an answer that cannot be sent, as for an invalid status: its error has no other catcher */
  constructor(private readonly onFailure: (response: ServerResponse, error: unknown) => void) {}

  /** Ends a response whose status and headers are set. */
  end(response: ServerResponse, text: string): void {
    const now = performance.now();
    if (this.waiting.length === 0) {
      this.since = now;
      setImmediate(this.send);
    }
    this.waiting.push({ response, text });
    this.characters += text.length;
    if (this.characters > MAX_CHARACTERS || now - this.since > MAX_WAIT) this.send();
  }

  private readonly send = (): void => {
    const answers = this.waiting;
    this.waiting = [];
    this.characters = 0;
    for (const { response, text } of answers) {
      try {
        // Something else may have answered meanwhile, as for a request whose body cannot be read to its end.
        if (!response.writableEnded) response.end(text);
      } catch (error) {
        this.onFailure(response, error);
      }
    }
  };
}
