import { hidden, malformed } from '../access-fault';
import type { FieldLookup, FieldShape } from '../schema/schema';
import { FilterSize } from './filter-size';
import {
  everything,
  type Filter,
  type FilterTree,
  type Leaf,
  nothing,
  type Subject,
  type Term,
  subjectType,
} from './filter';
import { functionsOf, parseCall } from './functions';
import { OPERATORS, type OperatorMeaning, serves } from './operators';
import { parseOperands } from './parse-operands';
import { asObject, entriesOf, join, nonEmpty, type Place, step } from './place';

/** How a filter may be written where it stands. */
export interface FilterSetting {
  readonly lookup: FieldLookup;
  /** `rule` refuses what in a stored rule can only be a mistake: a literal `_nin: []`. */
  readonly place: 'rule' | 'query';
  /** `_regex` serves in `validation` and the e-mail filter only. */
  readonly regex?: boolean;
  /** How large the filters are that are counted together; by default this one alone. */
  readonly size?: FilterSize;
  /** Fields of the root collection that the lookup hides and that may be named all the same. */
  readonly alsoNamed?: ReadonlyMap<string, FieldShape>;
}

const QUANTIFIERS = ['_some', '_none'];

/**
 * Reads the filter language into a tree, every name looked up and every operand checked against its column.
 * @param raw JSON as sent; null, undefined and `{}` are the filter that is always true
 * @param path where the filter stands, for the fault's address
 * @throws AccessFault that names the place and the reason
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
  members(raw: unknown, place: Place): Filter {
    this.size.addNode(place);
    const entries = Object.entries(asObject(raw, place.path));
    return join(
      'and',
      entries.map(([name, value]) => this.member(name, value, step(place, name))),
    );
  }

  private member(name: string, raw: unknown, place: Place): Filter {
    if (name === '_and') return join('and', this.list(raw, place));
    if (name === '_or') return join('or', this.list(raw, place));
    if (name.startsWith('_')) throw malformed(place.path, 'is no operator that can stand here');
    const call = parseCall(name);
    if (call) return this.tests(this.callSubject(call, place), raw, place);
    const field = this.field(name, place);
    if (field.kind === 'to-many') return this.toMany(field, raw, place);
    if (field.kind === 'to-one') return this.toOne(field, raw, place);
    return this.tests({ field, fn: null }, raw, place);
  }

  private list(raw: unknown, place: Place): Filter[] {
    if (!Array.isArray(raw)) throw malformed(place.path, 'must be a list of filters');
    return raw.map((member, index) => this.members(member, step(place, String(index))));
  }

  private field(name: string, place: Place): FieldShape {
    const named =
      this.setting.lookup.field(place.collection, name) ??
      (place.hops === 0 ? this.setting.alsoNamed?.get(name) : undefined);
    if (!named) throw hidden(place.path, place.collection, name);
    return named;
  }

  private callSubject(call: NonNullable<ReturnType<typeof parseCall>>, place: Place): Subject {
    const field = this.field(call.argument, place);
    if (call.fn === null || !functionsOf(field).includes(call.fn)) {
      throw malformed(place.path, `is no function of ${call.argument}`);
    }
    return { field, fn: call.fn };
  }

  /** Operators test the key; every other member speaks of the related row, of one and the same. */
  private toOne(field: FieldShape & { kind: 'to-one' }, raw: unknown, place: Place): Filter {
    const all = nonEmpty(raw, place.path);
    const tests = all.filter(([name]) => OPERATORS.has(name));
    const related = all.filter(([name]) => !OPERATORS.has(name));
    const parts: Filter[] = tests.map(([name, operand]) =>
      this.test({ field, fn: null }, name, operand, step(place, name)),
    );
    if (related.length > 0) {
      const filter = this.related(field.target, related, place);
      parts.push({ kind: 'to-one', field, filter });
    }
    return join('and', parts);
  }

  private toMany(field: FieldShape & { kind: 'to-many' }, raw: unknown, place: Place): Filter {
    const all = nonEmpty(raw, place.path);
    const quantified = all.filter(([name]) => QUANTIFIERS.includes(name));
    const bare = all.filter(([name]) => !QUANTIFIERS.includes(name));
    const parts: Filter[] = quantified.map(([name, members]) => ({
      kind: 'to-many',
      field,
      quantifier: name === '_none' ? 'none' : 'some',
      filter: this.related(
        field.target,
        entriesOf(members, [...place.path, name]),
        step(place, name),
      ),
    }));
    if (bare.length > 0) {
      parts.push({
        kind: 'to-many',
        field,
        quantifier: 'some',
        filter: this.related(field.target, bare, place),
      });
    }
    return join('and', parts);
  }

  private related(target: string, entries: readonly [string, unknown][], place: Place): Filter {
    this.size.addNode(place);
    const inside = { ...place, collection: target, hops: place.hops + 1 };
    return join(
      'and',
      entries.map(([name, value]) => this.member(name, value, step(inside, name))),
    );
  }

  private tests(subject: Subject, raw: unknown, place: Place): Filter {
    return join(
      'and',
      nonEmpty(raw, place.path).map(([name, operand]) =>
        this.test(subject, name, operand, step(place, name)),
      ),
    );
  }

  private test(subject: Subject, name: string, raw: unknown, place: Place): FilterTree<Term> {
    this.size.addNode(place);
    const meaning = this.operator(subject, name, place);
    const { operands, turned } = parseOperands(
      raw,
      subject,
      meaning.test,
      this.setting,
      place.path,
    );
    const leaf: Leaf<Term> = {
      kind: 'leaf',
      subject,
      test: meaning.test,
      negated: meaning.negated !== turned,
      operands,
    };
    return leaf.test === 'in' ? this.listed(leaf, place) : leaf;
  }

  private operator(subject: Subject, name: string, place: Place): OperatorMeaning {
    const meaning = OPERATORS.get(name);
    if (!meaning) throw malformed(place.path, `${JSON.stringify(name)} is no operator`);
    const allowed = serves(subjectType(subject).type, meaning.test);
    if (!allowed || (meaning.test === 'regex' && !this.setting.regex)) {
      throw malformed(place.path, `${name} does not serve here`);
    }
    return meaning;
  }

  /** An empty literal list: `_in` is false, `_nin` is true in a query and in a rule surely a mistake. */
  private listed(leaf: Leaf<Term>, place: Place): Filter {
    this.size.addOperands(leaf.operands.length, place);
    if (leaf.operands.length > 0) return leaf;
    if (!leaf.negated) return nothing;
    if (this.setting.place === 'rule') throw malformed(place.path, 'must not be empty in a rule');
    return everything;
  }
}
