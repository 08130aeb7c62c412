import { isObject } from '../common/is-object';
/** A primary key: a number, or a text such as a UUID. */
export type Id = string | number;

const NAME = /<([\w #.-]+)>/g;
const ONLY_NAME = /^<([\w #.-]+)>$/;

/** Whether a text in the value mentions one of the names in angle brackets. */
export const mentions = (value: unknown, names: ReadonlySet<string>): boolean =>
  [...(JSON.stringify(value) ?? '').matchAll(NAME)].some(([, name = '']) => names.has(name));

/** The ids of what was created, by name; `<ann>` in a text stands for the id of `ann`. */
export class Names {
  private readonly ids = new Map<string, Id>();

  has(name: string): boolean {
    return this.ids.has(name);
  }

  set(name: string, id: Id): void {
    this.ids.set(name, id);
  }

  /** @throws Error where nothing has the name */
  id(name: string): Id {
    const id = this.ids.get(name);
    if (id === undefined) throw new Error(`nothing is called <${name}>`);
    return id;
  }

  /**
   * Replaces names in angle brackets by ids, anywhere in a value, including the keys of objects.
   * @throws Error where nothing has the name
   */
  fill<T>(value: T): T {
    return this.substitute(value, (name) => String(this.id(name))) as T;
  }

  /** The same for the values of a row: an unknown name within a longer text is left there, since it may be HTML. */
  fillRow<T>(row: T): T {
    return this.substitute(row, (name) => String(this.ids.get(name) ?? `<${name}>`)) as T;
  }

  private substitute(value: unknown, within: (name: string) => string): unknown {
    if (typeof value === 'string') return this.fillText(value, within);
    if (Array.isArray(value)) return value.map((member) => this.substitute(member, within));
    if (!isPlain(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        String(this.fillText(key, within)),
        this.substitute(member, within),
      ]),
    );
  }

  /** A text that is a name alone becomes the id in its own type, so that the id of a rule is a number. */
  private fillText(text: string, within: (name: string) => string): unknown {
    const only = ONLY_NAME.exec(text)?.[1];
    if (only !== undefined) return this.id(only);
    return text.replace(NAME, (_, each: string) => within(each));
  }
}

/** Dates, and what a test compares with (`expect.any(String)`), are left unchanged. */
function isPlain(value: unknown): value is object {
  if (!isObject(value) || '$$typeof' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
