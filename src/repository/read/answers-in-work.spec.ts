import { ServiceUnavailable } from '../../common/errors';
import { AnswersInWork, HeldAnswer } from './answers-in-work';

const MEGABYTE = 1024 * 1024;

function answers(max: number) {
  const all = new AnswersInWork(max * MEGABYTE);
  return {
    all,
    open: () => {
      let written = (): void => undefined;
      const onceAnswered = (work: () => void): void => void (written = work);
      const answer = new HeldAnswer({ aborted: false, onceAnswered }, all);
      return { add: (bytes: number) => answer.add(bytes * MEGABYTE), write: () => written() };
    },
  };
}

it('a large answer is refused while others take most of the memory, and not afterwards', () => {
  const { open } = answers(10);
  const [first, second] = [open(), open()];
  first.add(8);
  second.add(2);
  expect(() => open().add(1)).toThrow(ServiceUnavailable);
  expect(() => second.add(1)).toThrow('too many large answers are being written');
  first.write();
  open().add(8);
});

it('of answers that grow at the same time, those that are refused make room for the others', () => {
  const { open } = answers(10);
  const growing = [open(), open(), open()];
  const refused = new Set<number>();
  for (let megabyte = 1; megabyte <= 9; megabyte += 1) {
    for (const [index, answer] of growing.entries()) {
      if (refused.has(index)) continue;
      try {
        answer.add(1);
      } catch {
        refused.add(index);
      }
    }
  }
  expect(refused.size).toBe(2);
});

it('a single answer and small ones are never refused', () => {
  const { all, open } = answers(2);
  open().add(0.9);
  expect(all.bytes).toBe(0);
  const alone = open();
  alone.add(30);
  for (let small = 0; small < 100; small += 1) open().add(0.9);
  alone.write();
  expect(all.bytes).toBe(0);
});

it('what is added after the client has left, or without one, is not counted', () => {
  const { all, open } = answers(2);
  const left = open();
  left.add(1.5);
  left.write();
  left.add(9);
  new HeldAnswer(undefined, all).add(9 * MEGABYTE);
  expect(all.bytes).toBe(0);
});
