import { type FieldNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import type { Fragments } from './fragments';
import { GRAPHQL_LIMITS } from './limits';

/** A query of the whole schema counts as this many operations. */
const SCHEMA = 10;

interface Size {
  /** Fields of the first level; in the document itself, its operations. */
  readonly first: number;
  readonly depth: number;
  readonly fields: number;
}

/** The largest counts in any single selection set of a document. */
interface LargestLevel {
  /** Fields that are answered under one name. */
  readonly mentions: number;
  /** Response names of one field: each repeats its value, however long that is. */
  readonly names: number;
}

const NOTHING: Size = { first: 0, depth: 0, fields: 0 };

/** Finds out what an operation contains too much of. */
export class DocumentSize {
  private readonly fragmentSizes = new Map<string, Size | 'open'>();

  constructor(private readonly fragments: Fragments) {}

  /** @returns undefined where nothing is too much */
  faultOf(operation: OperationDefinitionNode): string | undefined {
    const { operations, depth, fields, mentions, names } = GRAPHQL_LIMITS;
    const size = this.of(operation.selectionSet);
    if (size.first > operations) return `must hold at most ${operations} operations`;
    if (size.depth > depth) return `must be at most ${depth} deep`;
    if (size.fields > fields) return `must ask for at most ${fields} fields`;
    // Checked last: counting mentions opens every fragment.
    const largest = this.largest([operation.selectionSet]);
    if (largest.mentions > mentions)
      return `must mention no field more than ${mentions} times in one place`;
    if (largest.names > names)
      return `must ask for no field under more than ${names} names in one place`;
    return undefined;
  }

  /** Each fragment is measured once, however often it is spread, so that no document can make this slow. */
  private of(set: SelectionSetNode | undefined): Size {
    const sizes = (set?.selections ?? []).map((node): Size => {
      switch (node.kind) {
        case Kind.FIELD: {
          const inner = this.of(node.selectionSet);
          const first = node.name.value === '__schema' ? SCHEMA : 1;
          return { first, depth: inner.depth + 1, fields: inner.fields + 1 };
        }
        case Kind.INLINE_FRAGMENT:
          return this.of(node.selectionSet);
        case Kind.FRAGMENT_SPREAD:
          return this.fragment(node.name.value);
      }
    });
    return {
      first: sizes.reduce((sum, { first }) => sum + first, 0),
      depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
      fields: sizes.reduce((sum, { fields }) => sum + fields, 0),
    };
  }

  /** A fragment that contains itself is endless. */
  private fragment(name: string): Size {
    const known = this.fragmentSizes.get(name);
    if (known === 'open') return { ...NOTHING, depth: Infinity };
    if (known) return known;
    this.fragmentSizes.set(name, 'open');
    const size = this.of(this.fragments.get(name)?.selectionSet);
    this.fragmentSizes.set(name, size);
    return size;
  }

  private largest(sets: readonly SelectionSetNode[]): LargestLevel {
    const answered = new Map<string, FieldNode[]>();
    const opened = new Set<string>();
    for (const set of sets) this.collect(set, answered, opened);
    const all = [...answered.values()];
    const own = {
      mentions: all.reduce((max, nodes) => Math.max(max, nodes.length), 0),
      names: mostNames(all),
    };
    return all.reduce((largest, nodes) => {
      const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      return below.length === 0 ? largest : greater(largest, this.largest(below));
    }, own);
  }

  private collect(
    set: SelectionSetNode,
    names: Map<string, FieldNode[]>,
    opened: Set<string>,
  ): void {
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        const name = (node.alias ?? node.name).value;
        const nodes = names.get(name);
        if (nodes) nodes.push(node);
        else names.set(name, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        this.collect(node.selectionSet, names, opened);
      } else if (!opened.has(node.name.value)) {
        opened.add(node.name.value);
        const inner = this.fragments.get(node.name.value)?.selectionSet;
        if (inner) this.collect(inner, names, opened);
      }
    }
  }
}

/** @param answered the mentions of each response name: in a valid document, all of one field */
function mostNames(answered: readonly (readonly FieldNode[])[]): number {
  const names = new Map<string, number>();
  for (const [node] of answered) {
    if (node) names.set(node.name.value, (names.get(node.name.value) ?? 0) + 1);
  }
  return Math.max(0, ...names.values());
}

const greater = (one: LargestLevel, other: LargestLevel): LargestLevel => ({
  mentions: Math.max(one.mentions, other.mentions),
  names: Math.max(one.names, other.names),
});
