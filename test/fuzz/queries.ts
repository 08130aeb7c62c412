import {
  arityOf,
  type CollectionShape,
  type FieldShape,
  functionsOf,
  OPERATORS,
  operatorsOf,
  type StoredField,
} from '../../src/engine';
import { Lengthy } from './lengthy';
import { oddText, oddValue, corrupted } from './odd';
import type { Random } from './random';
import type { Surface } from './surface';
import { operandFor } from './values';

const NAMES = [...OPERATORS.keys()];

type Json = Record<string, unknown>;

const FLAGS = [true, false, 'true', null];

/** Filters and query parameters of a collection: mostly valid, as a client would write them. */
export class Queries {
  private readonly lengthy: Lengthy;

  constructor(
    private readonly surface: Surface,
    private readonly random: Random,
  ) {
    this.lengthy = new Lengthy(surface, random);
  }

  filter(shape: CollectionShape, depth = 3): Json {
    const { random } = this;
    const inner = (): Json => this.filter(shape, depth - 1);
    return random.way<Json>([
      [10, () => this.member(shape, depth)],
      [depth > 0 ? 2 : 0, () => ({ _and: random.times(random.int(4), inner) })],
      [depth > 0 ? 2 : 0, () => ({ _or: random.times(random.int(4), inner) })],
      [depth > 0 ? 1 : 0, () => ({ ...inner(), ...inner() })],
      [0.2, () => this.lengthy.variables(shape)],
      [0.2, () => ({ _and: this.lengthy.many(() => this.member(shape, 1)) })],
    ]);
  }

  private member(shape: CollectionShape, depth: number): Json {
    const field = this.random.pick([...shape.fields.values()]);
    const functions = functionsOf(field);
    if (functions.length > 0 && this.random.chance(0.3)) {
      const name = `${this.random.pick([...functions, 'year'])}(${field.name})`;
      const operand = this.random.pick<unknown>([0, 2024, '7', [1, 2]]);
      return { [name]: this.random.chance(0.2) ? operand : { [this.operator()]: operand } };
    }
    if (field.kind === 'column') return { [field.name]: this.tests(field) };
    return { [field.name]: this.related(field, depth) };
  }

  private related(field: FieldShape & { kind: 'to-one' | 'to-many' }, depth: number): unknown {
    const target = this.surface.shapes.get(field.target);
    if (field.kind === 'to-one' && (depth <= 0 || !target || this.random.chance(0.5))) {
      return this.tests(field);
    }
    if (!target || depth <= 0) return { _some: {} };
    const inner = this.filter(target, depth - 1);
    const size = { [this.random.pick(['_null', '_nnull'])]: this.random.pick(FLAGS) };
    return this.random.pick<unknown>([inner, { _some: inner }, { _none: inner }, size]);
  }

  private tests(field: StoredField): unknown {
    const { random } = this;
    const name = random.chance(0.85) ? random.pick(operatorsOf(field.type)) : this.operator();
    const meaning = OPERATORS.get(name);
    const operand = (): unknown => operandFor(field, this.surface, random);
    if (random.chance(0.1)) return operand();
    switch (meaning && arityOf(meaning.test)) {
      case 'flag':
        return { [name]: random.pick(FLAGS) };
      case 'list':
        return { [name]: random.chance(0.8) ? random.times(random.int(4), operand) : operand() };
      case 'pair':
        return { [name]: random.times(random.chance(0.9) ? 2 : 3, operand) };
      default:
        return { [name]: operand() };
    }
  }

  private operator(): string {
    return this.random.chance(0.9) ? this.random.pick(NAMES) : oddText(this.random);
  }

  /** A path of fields, sometimes with a function at its end: `category.name`, `*`, `owner.*`, `count(notes)`. */
  path(shape: CollectionShape, depth = 2): string {
    const { random } = this;
    if (random.chance(0.02)) return oddText(random).slice(0, 300);
    if (random.chance(0.15)) return random.pick(['*', '*.*', 'id']);
    const field = random.pick([...shape.fields.values()]);
    const functions = functionsOf(field);
    if (functions.length > 0 && random.chance(0.2))
      return `${random.pick([...functions, 'year', 'upper'])}(${field.name})`;
    const target = field.kind === 'column' ? undefined : this.surface.shapes.get(field.target);
    return target && depth > 0 && random.chance(0.6)
      ? `${field.name}.${this.path(target, depth - 1)}`
      : field.name;
  }

  /** The parameters of a list, for a body or for a query string. */
  parameters(shape: CollectionShape): Json {
    const { random } = this;
    const makers: Readonly<Record<string, () => unknown>> = {
      fields: () => this.fields(shape),
      filter: () => this.filter(shape),
      search: () => oddText(random),
      sort: () => random.some(['-', ''], 3).map((sign) => sign + this.path(shape, 1)),
      limit: () => this.mostly([-1, 0, 1, '5', 100], [1e9, 10_001, 'ten', null, -2, 1.5, '']),
      offset: () => this.mostly([0, 1, '2'], [-1, 1e9, 1e10, 'x', [], 1e-7]),
      page: () => this.mostly([1, 2, '3'], [0, '1e3', 1e9, {}, -1]),
      meta: () => this.mostly(['*', 'total_count', 'filter_count,total_count'], ['none', 5, ['*']]),
      alias: () => this.alias(shape),
      deep: () => (random.chance(0.03) ? this.lengthy.deep(shape) : this.deep(shape, 2)),
      aggregate: () => this.aggregate(shape),
      groupBy: () => random.times(random.int(3), () => this.path(shape, 0)),
    };
    const names = random.some([...Object.keys(makers), 'fields', 'filter', 'filter', 'sort'], 4);
    if (random.chance(0.03)) names.push(random.pick(this.surface.words));
    return Object.fromEntries(
      names.map((name) => {
        const value = makers[name]?.() ?? oddValue(random);
        const sent = random.chance(0.08) ? corrupted(value, random) : value;
        return [name, random.chance(0.03) ? '' : sent];
      }),
    );
  }

  private fields(shape: CollectionShape): string[] {
    const { random } = this;
    return random.way([
      [50, () => random.times(1 + random.int(4), () => this.path(shape))],
      [1, () => this.lengthy.many(() => this.path(shape))],
      [3, () => [this.lengthy.path(shape), this.path(shape)]],
    ]);
  }

  private alias(shape: CollectionShape): Json {
    const { random } = this;
    const name = (): string => random.pick(['shown', '_x', 'a b', '__proto__', 'id']);
    const chance = random.chance(0.05);
    const paths = chance ? this.lengthy.many(() => this.path(shape)) : [this.path(shape, 0)];
    return Object.fromEntries(
      paths.map((path, at) => [
        chance ? `a${at}` : name(),
        random.chance(0.02) ? this.lengthy.path(shape) : path,
      ]),
    );
  }

  private mostly(right: readonly unknown[], wrong: readonly unknown[]): unknown {
    return this.random.pick(this.random.chance(0.8) ? right : wrong);
  }

  private deep(shape: CollectionShape, depth: number): Json {
    const relations = [...shape.fields.values()].filter((field) => field.kind !== 'column');
    return Object.fromEntries(
      this.random.some(relations, 2).map((field) => {
        const target = this.surface.shapes.get(field.target);
        const own = { _limit: 2, _sort: 'id', ...(target && { _filter: this.filter(target, 1) }) };
        return [
          field.name,
          target && depth > 0 ? { ...own, ...this.deep(target, depth - 1) } : own,
        ];
      }),
    );
  }

  private aggregate(shape: CollectionShape): Json {
    const functions = ['count', 'countDistinct', 'sum', 'avg', 'min', 'max', 'median'];
    return Object.fromEntries(
      this.random
        .times(1 + this.random.int(2), () => this.random.pick(functions))
        .map((fn) => [fn, [this.random.chance(0.2) ? '*' : this.path(shape, 0)]]),
    );
  }
}
