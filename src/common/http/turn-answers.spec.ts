import type { ServerResponse } from 'node:http';
import { nextTurn } from '../next-turn';
import { TurnAnswers } from './turn-answers';

function recorder(more: Partial<ServerResponse> = {}) {
  const sent: string[] = [];
  const response = { end: (text: string) => void sent.push(text), ...more };
  return { sent, response: response as unknown as ServerResponse };
}

const rethrow = (_: unknown, error: unknown): void => {
  throw error;
};

const LONG = 'x'.repeat(100_000);

describe('the answers of one turn', () => {
  let now = 0;

  // On a busy machine a turn may take longer than an answer waits.
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => void jest.restoreAllMocks());

  it('are sent at its end, in their order, and those of the next turn after it', async () => {
    const { sent, response } = recorder();
    const answers = new TurnAnswers(rethrow);
    answers.end(response, 'one');
    answers.end(response, 'two');
    expect(sent).toEqual([]);
    await nextTurn();
    expect(sent).toEqual(['one', 'two']);
    answers.end(response, 'three');
    expect(sent).toEqual(['one', 'two']);
    await nextTurn();
    expect(sent).toEqual(['one', 'two', 'three']);
  });

  it('are not sent where something else has answered meanwhile', async () => {
    const { sent, response } = recorder({ writableEnded: true });
    new TurnAnswers(rethrow).end(response, 'late');
    await nextTurn();
    expect(sent).toEqual([]);
  });

  it('are sent although one of them cannot be, which is told to its sender', async () => {
    const { sent, response } = recorder();
    const fault = new RangeError('Invalid status code: 99');
    const broken = recorder({
      end: () => {
        throw fault;
      },
    });
    const failed: unknown[] = [];
    const answers = new TurnAnswers((...failure) => void failed.push(failure));
    answers.end(broken.response, 'one');
    answers.end(response, 'two');
    await nextTurn();
    expect(sent).toEqual(['two']);
    expect(failed).toEqual([[broken.response, fault]]);
  });

  it('do not wait for its end where they are long', () => {
    const { sent, response } = recorder();
    const answers = new TurnAnswers(rethrow);
    answers.end(response, 'short');
    answers.end(response, LONG);
    expect(sent).toEqual(['short', LONG]);
  });

  it('do not wait for its end where it takes long', () => {
    const { sent, response } = recorder();
    const answers = new TurnAnswers(rethrow);
    answers.end(response, 'one');
    now = 0.5;
    answers.end(response, 'two');
    expect(sent).toEqual([]);
    now = 2;
    answers.end(response, 'three');
    expect(sent).toEqual(['one', 'two', 'three']);
  });
});
