import {
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { MASK, NAMING, oddNumber, oddText, oddValue, secretText, withRaw } from '../odd';
import type { Random } from '../random';
import type { Surface } from '../surface';
import { keyOf } from '../values';
import type { Known } from './request';

/** A name that is written without quotation marks in a literal. */
class Word {
  constructor(readonly name: string) {}

  toJSON(): string {
    return this.name;
  }
}

const NAME = /^[A-Za-z_]\w*$/;

/** The literal of a value in a document. */
export function literal(value: unknown): string {
  if (value instanceof Word) return value.name;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) {
    return withRaw(JSON.stringify(value) ?? 'null');
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${NAME.test(name) ? name : JSON.stringify(name)}: ${literal(member)}`,
  );
  return `{${members.join(', ')}}`;
}

/** Values for the arguments of GraphQL operations, by their types. */
export class Inputs {
  constructor(
    private readonly surface: Surface,
    private readonly known: Known,
    private readonly random: Random,
  ) {}

  valueOf(type: GraphQLInputType, name: string, depth = 4): unknown {
    const { random } = this;
    if (random.chance(0.04)) return oddValue(random);
    if (isNonNullType(type)) return this.valueOf(type.ofType, name, depth);
    if (isListType(type)) {
      const member = (): unknown => this.valueOf(type.ofType, name, depth - 1);
      return random.chance(0.9) ? random.times(random.int(3), member) : member();
    }
    if (isEnumType(type)) return new Word(random.pick(type.getValues()).name);
    if (!isInputObjectType(type)) return this.scalar(type.name, name);
    const fields = depth > 0 ? random.some(Object.values(type.getFields()), 3) : [];
    return Object.fromEntries(
      fields.map((field) => [field.name, this.valueOf(field.type, field.name, depth - 1)]),
    );
  }

  private scalar(type: string, name: string): unknown {
    const { random } = this;
    const known = this.known[name];
    if (known && random.chance(0.7)) return random.pick(known);
    if (name.endsWith('secret') && random.chance(0.4)) return MASK;
    switch (type) {
      case 'Boolean':
        return random.chance(0.9) ? random.chance(0.5) : oddValue(random);
      case 'Int':
      case 'Float':
        return random.chance(0.7) ? random.int(10) : oddNumber(random);
      case 'ID':
      case 'Relation':
        return random.chance(0.85) ? this.key() : oddValue(random);
      case 'String':
        return random.way([
          [3, () => random.pick(this.surface.words)],
          [5, () => oddText(random)],
          [NAMING.includes(name) ? 0 : 2, () => secretText(random)],
        ]);
      case 'Date':
        return random.chance(0.7) ? '2024-02-29T12:00:00Z' : oddText(random);
      default:
        return random.chance(0.4) ? this.key() : oddValue(random);
    }
  }

  private key(): string {
    const { random, surface } = this;
    return keyOf(random.pick([...surface.keys.keys()]), surface, random);
  }
}
