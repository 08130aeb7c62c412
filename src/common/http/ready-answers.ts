const texts = new WeakMap<object, string>();

/** Keeps the JSON of an answer that is sent many times, for as long as the answer itself is kept. */
export function keepText(answer: object, text: string): void {
  texts.set(answer, text);
}

export const textOf = (answer: object): string => texts.get(answer) ?? JSON.stringify(answer);
