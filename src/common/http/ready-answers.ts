const texts = new WeakMap<object, string>();

/** Keeps the JSON of an answer that is sent many times, for as long as the answer itself is kept. */
export function keepText(answer: object): void {
  texts.set(answer, JSON.stringify(answer));
}

export const textOf = (answer: object): string => texts.get(answer) ?? JSON.stringify(answer);
