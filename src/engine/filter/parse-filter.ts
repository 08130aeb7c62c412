import { hidden, malformed } from '../access-fault';
import type { FieldShape } from '../schema/schema';
import { FilterSize } from './filter-size';
import { everything, type FieldExpression, type Filter } from './filter';
import { functionsOf, parseCall } from './functions';
import { OPERATORS } from './operators';
import type { FilterSetting } from './filter-setting';
import { parseFlag } from './parse-operands';
import { parseTest } from './parse-test';
import {
  asObject,
  entriesOf,
  isScalar,
  joinFilters,
  nonEmpty,
  type FilterPosition,
  step,
} from './filter-position';

const QUANTIFIERS = ['_some', '_none'];
/** For a list, whether it has no members. */
const NULLNESS: ReadonlyMap<string, boolean> = new Map([
  ['_null', true],
  ['_nnull', false],
]);

/**
 * Reads the filter language into a tree, with every name looked up and every operand checked against its column.
 * @param raw JSON as sent; null, undefined and `{}` are the filter that is always true
 * @param path where the filter is, for the fault's position
 * @throws AccessFault that names the position and the reason
 */
export function parseFilter(
  raw: unknown,
  collection: string,
  setting: FilterSetting,
  path: readonly string[] = ['filter'],
): Filter {
  if (raw === null || raw === undefined) return everything;
  return new FilterParser(setting).members(raw, { collection, path, depth: 0, hops: 0 });
}

class FilterParser {
  private readonly size: FilterSize;

  constructor(private readonly setting: FilterSetting) {
    this.size = setting.size ?? new FilterSize();
  }

  /** An object of fields and `_and`/`_or`: all of its members hold. */
  members(raw: unknown, position: FilterPosition): Filter {
    this.size.addNode(position);
    const entries = Object.entries(asObject(raw, position.path));
    return joinFilters(
      'and',
      entries.map(([name, value]) => this.member(name, value, step(position, name))),
    );
  }

  private member(name: string, raw: unknown, position: FilterPosition): Filter {
    if (name === '_and') return joinFilters('and', this.list(raw, position));
    if (name === '_or') return joinFilters('or', this.list(raw, position));
    if (name.startsWith('_'))
      throw malformed(position.path, 'is not an operator that is allowed here');
    const call = parseCall(name);
    if (call) return this.tests(this.callExpression(call, position), raw, position);
    const field = this.field(name, position);
    if (field.kind === 'to-many') return this.toMany(field, raw, position);
    if (field.kind === 'to-one') return this.toOne(field, raw, position);
    return this.tests({ field, fn: null }, raw, position);
  }

  private list(raw: unknown, position: FilterPosition): Filter[] {
    if (!Array.isArray(raw)) throw malformed(position.path, 'must be a list of filters');
    return raw.map((member, index) => this.members(member, step(position, String(index))));
  }

  private field(name: string, position: FilterPosition): FieldShape {
    const named =
      this.setting.lookup.field(position.collection, name) ??
      (position.hops === 0 ? this.setting.alsoNamed?.get(name) : undefined);
    if (!named) throw hidden(position.path, position.collection, name);
    return named;
  }

  private callExpression(
    call: NonNullable<ReturnType<typeof parseCall>>,
    position: FilterPosition,
  ): FieldExpression {
    const field = this.field(call.argument, position);
    if (call.fn === null || !functionsOf(field).includes(call.fn)) {
      throw malformed(position.path, `is no function of ${call.argument}`);
    }
    return { field, fn: call.fn };
  }

  /** Operators test the key; all other members apply to the same related row. */
  private toOne(
    field: FieldShape & { kind: 'to-one' },
    raw: unknown,
    position: FilterPosition,
  ): Filter {
    const all = this.entries(raw, position);
    const tests = all.filter(([name]) => OPERATORS.has(name));
    const related = all.filter(([name]) => !OPERATORS.has(name));
    const parts: Filter[] = tests.map(([name, operand]) =>
      this.test({ field, fn: null }, name, operand, step(position, name)),
    );
    if (related.length > 0) {
      const filter = this.related(field.target, related, position);
      parts.push({ kind: 'to-one', field, filter });
    }
    return joinFilters('and', parts);
  }

  private toMany(
    field: FieldShape & { kind: 'to-many' },
    raw: unknown,
    position: FilterPosition,
  ): Filter {
    const all = nonEmpty(raw, position.path);
    const quantified = all.filter(([name]) => QUANTIFIERS.includes(name));
    const emptiness = all.filter(([name]) => NULLNESS.has(name));
    const bare = all.filter(([name]) => !QUANTIFIERS.includes(name) && !NULLNESS.has(name));
    const parts = quantified.map(([name, members]): Filter => {
      const inner = step(position, name);
      const filter = this.related(field.target, entriesOf(members, inner.path), inner);
      return { kind: 'to-many', field, quantifier: name === '_none' ? 'none' : 'some', filter };
    });
    for (const [name, flag] of emptiness)
      parts.push(this.nullness(field, name, flag, step(position, name)));
    if (bare.length > 0) {
      const filter = this.related(field.target, bare, position);
      parts.push({ kind: 'to-many', field, quantifier: 'some', filter });
    }
    return joinFilters('and', parts);
  }

  /** `{notes: {_null: true}}`: the list is empty. */
  private nullness(
    field: FieldShape & { kind: 'to-many' },
    name: string,
    raw: unknown,
    position: FilterPosition,
  ): Filter {
    this.size.addNode(position);
    const none = parseFlag(raw, position.path) === NULLNESS.get(name);
    return { kind: 'to-many', field, quantifier: none ? 'none' : 'some', filter: everything };
  }

  private related(
    target: string,
    entries: readonly [string, unknown][],
    position: FilterPosition,
  ): Filter {
    this.size.addNode(position);
    const inside = { ...position, collection: target, hops: position.hops + 1 };
    return joinFilters(
      'and',
      entries.map(([name, value]) => this.member(name, value, step(inside, name))),
    );
  }

  private tests(expression: FieldExpression, raw: unknown, position: FilterPosition): Filter {
    return joinFilters(
      'and',
      this.entries(raw, position).map(([name, operand]) =>
        this.test(expression, name, operand, step(position, name)),
      ),
    );
  }

  /** The value under a field's name: operators, or in a query one value that it must equal. */
  private entries(raw: unknown, position: FilterPosition): [string, unknown][] {
    if (this.setting.position === 'query' && isScalar(raw)) return [['_eq', raw]];
    return nonEmpty(raw, position.path);
  }

  private test(
    expression: FieldExpression,
    name: string,
    raw: unknown,
    position: FilterPosition,
  ): Filter {
    // A clause about related rows is decided by the database, which has no linear-time patterns.
    const regex = this.setting.regex === true && position.hops === 0;
    return parseTest(
      expression,
      { name, raw, position },
      { ...this.setting, regex, size: this.size },
    );
  }
}
