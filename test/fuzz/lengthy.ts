import type { CollectionShape } from '../../src/engine';
import type { Random } from './random';
import type { Surface } from './surface';

const COUNTS = [11, 60, 400, 3000];

/** Queries that are repetitive or deeply nested, up to the maximum length of a body. */
export class Lengthy {
  constructor(
    private readonly surface: Surface,
    private readonly random: Random,
  ) {}

  many<T>(make: () => T): T[] {
    const { random } = this;
    return random.times(random.pick([5, 12, 40]), make);
  }

  /** `parent.parent.parent…`, through any relations. */
  path(shape: CollectionShape): string {
    const { random } = this;
    const names = this.way(shape, random.pick(COUNTS));
    return [...names, random.pick(['id', '*', 'none', 'x'.repeat(5000)])].join('.');
  }

  /** `{parent: {_limit: 1, parent: …}}`, as text, since recursion would exceed the stack. */
  deep(shape: CollectionShape): unknown {
    const { random } = this;
    const names = this.way(shape, random.pick(COUNTS));
    const limit = random.chance(0.5) ? '"_limit":1,' : '';
    const opened = names.map((name) => `{${limit}${JSON.stringify(name)}:`).join('');
    return `@raw ${opened}{}${'}'.repeat(names.length)}@`;
  }

  /** Many different paths from the caller's own row. */
  variables(shape: CollectionShape): Record<string, unknown> {
    const { random } = this;
    const user = this.surface.shapes.get('service_users');
    const fields = user ? [...user.fields.keys()] : ['id'];
    const roles = (): string => '.parent'.repeat(random.int(4));
    const paths = this.many(() =>
      random.pick([
        `$CURRENT_USER.${random.pick(fields)}`,
        `$CURRENT_USER.role${roles()}.${random.pick(['name', 'id', 'icon'])}`,
        `$CURRENT_ROLE${roles()}.${random.pick(['name', 'description'])}`,
      ]),
    );
    const word = random.pick(['_or', '_and']);
    return { [word]: paths.map((path) => ({ [shape.key]: { _neq: path } })) };
  }

  private way(shape: CollectionShape, length: number): string[] {
    const names: string[] = [];
    let at: CollectionShape | undefined = shape;
    while (at && names.length < length) {
      const onward: { name: string; target: string }[] = [...at.fields.values()].flatMap((field) =>
        field.kind === 'column' ? [] : [{ name: field.name, target: field.target }],
      );
      if (onward.length === 0) break;
      const { name, target } = this.random.pick(onward);
      names.push(name);
      at = this.surface.shapes.get(target);
    }
    return names;
  }
}
