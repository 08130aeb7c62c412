import {
  getNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isListType,
  isObjectType,
} from 'graphql';

/** The fields that `*` stands for: those that the caller may name. */
export type Granted = (collection: string) => readonly string[];

interface Node {
  readonly [name: string]: Node;
}

/** A tree of REST's field paths. */
export function fieldsTree(paths: readonly string[]): Node {
  const root: Record<string, Node> = {};
  for (const path of paths) {
    let at: Record<string, Node> = root;
    for (const name of path.split('.')) at = (at[name] ??= {}) as Record<string, Node>;
  }
  return root;
}

/** The same fields as a GraphQL selection: stars written out, and relations without fields by their key. */
export function renderSelection(tree: Node, type: GraphQLObjectType, granted: Granted): string {
  const named = Object.entries(tree).flatMap(([name, node]): [string, Node][] =>
    name === '*' ? expandStar(type, node, granted) : [[name, node]],
  );
  const parts = [...new Map(named)].map(([name, node]) => {
    const target = getNamedType(type.getFields()[name]?.type);
    if (!target || !isObjectType(target)) return name;
    const inner = Object.keys(node).length === 0 ? 'id' : renderSelection(node, target, granted);
    return `${name} { ${inner} }`;
  });
  return parts.length === 0 ? '__typename' : parts.join(' ');
}

function expandStar(type: GraphQLObjectType, node: Node, granted: Granted): [string, Node][] {
  const fields = type.getFields();
  return granted(type.name)
    .filter((name) => fields[name] && !isListType(fields[name].type))
    .map((name) => [name, node]);
}

/** Whether a field is a key that REST shows as a number; in GraphQL all keys are texts. */
export type IsNumberKey = (collection: string, field: string) => boolean;

/** The answer with keys instead of relations without fields, as in REST. */
export function asRest(
  value: unknown,
  tree: Node,
  type: GraphQLObjectType,
  isNumberKey: IsNumberKey,
): unknown {
  if (Array.isArray(value)) return value.map((each) => asRest(each, tree, type, isNumberKey));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__typename')
      .map(([name, inner]: [string, unknown]) => {
        const target = getNamedType(type.getFields()[name]?.type);
        if (!target || !isObjectType(target))
          return [name, isNumberKey(type.name, name) ? numberOf(inner) : inner];
        const node = tree[name] ?? tree['*'] ?? {};
        const opened = Object.keys(node).length > 0;
        const shown = asRest(inner, node, target, isNumberKey);
        return [name, opened ? shown : keysOf(shown)];
      }),
  );
}

function numberOf(key: unknown): number {
  expect(key).toEqual(expect.stringMatching(/^\d+$/));
  return Number(key);
}

const keysOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(keysOf) : ((value as { id?: unknown } | null)?.id ?? null);

export function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`No type ${name}`);
  return type;
}
