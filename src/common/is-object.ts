/** Whether a value has members: an object or a list. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

/** Whether a value has named members, as an object of JSON has: a list is none. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !Array.isArray(value);
