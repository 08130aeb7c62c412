import {
  type ASTVisitor,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

/** How much one request may ask for. */
export const GRAPHQL_LIMITS = {
  /** Words and signs of the document. */
  tokens: 1500,
  /** Operations of one request, whatever names they are given: sign-ins too. */
  operations: 20,
  // Editors ask for types of types of types; relations are bounded by themselves.
  depth: 16,
  /** Fields in all, each fragment counted wherever it is spread. */
  fields: 500,
  /** Values and names of the variables, and how many names one object has: a faulty one is described as a whole. */
  variables: 7_500,
  names: 1_000,
  /** Values that the queries of one request are answered with, rows and lists counted as well. */
  answer: 30_000,
} as const;

/** A look at the whole schema counts as so many operations. */
const SCHEMA = 10;

interface Size {
  /** Fields of the first level: operations, where it is that of the document. */
  readonly first: number;
  readonly depth: number;
  readonly fields: number;
}

/** A validation rule that bounds operations, depth and fields. */
export function limitRule(context: ValidationContext): ASTVisitor {
  const measure = new Measure((name) => context.getFragment(name));
  return {
    OperationDefinition(node: OperationDefinitionNode): void {
      const { operations, depth, fields } = GRAPHQL_LIMITS;
      const size = measure.of(node.selectionSet);
      const report = (what: string): void =>
        context.reportError(new GraphQLError(what, { nodes: node }));
      if (size.first > operations) report(`must hold at most ${operations} operations`);
      if (size.depth > depth) report(`must be at most ${depth} deep`);
      if (size.fields > fields) report(`must ask for at most ${fields} fields`);
    },
  };
}

/** Each fragment is measured once, however often it is spread: a document cannot make this slow. */
class Measure {
  private readonly fragments = new Map<string, Size>();

  constructor(private readonly find: (name: string) => FragmentDefinitionNode | null | undefined) {}

  of(set: SelectionSetNode | undefined): Size {
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

  private fragment(name: string): Size {
    const known = this.fragments.get(name);
    if (known) return known;
    // A circle is reported by a rule of its own; here it only must end.
    this.fragments.set(name, { first: 0, depth: 0, fields: 0 });
    const size = this.of(this.find(name)?.selectionSet);
    this.fragments.set(name, size);
    return size;
  }
}
