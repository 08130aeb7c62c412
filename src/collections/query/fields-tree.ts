import { malformed } from '../../access';

/** The wished-for fields as a tree: `*`, `name`, `category.name` → children under `category`. */
export interface FieldsNode {
  readonly children: Map<string, FieldsNode>;
}

const MOST_PATHS = 500;

/** @param raw a comma-separated string, a list of such, or nothing, which means `*` */
export function parseFieldsTree(raw: unknown, path: readonly string[]): FieldsNode {
  const root: FieldsNode = { children: new Map() };
  const paths = parseNames(raw, path) ?? ['*'];
  if (paths.length > MOST_PATHS) throw malformed(path, `must name at most ${MOST_PATHS} fields`);
  for (const each of paths) {
    let node = root;
    for (const part of each.split('.')) {
      if (part === '') throw malformed(path, `${JSON.stringify(each)} is no field`);
      node = childOf(node, part);
    }
  }
  return root;
}

function childOf(node: FieldsNode, name: string): FieldsNode {
  const known = node.children.get(name);
  if (known) return known;
  const made: FieldsNode = { children: new Map() };
  node.children.set(name, made);
  return made;
}

/** Names as a comma-separated string or a list of such strings. */
export function parseNames(raw: unknown, path: readonly string[]): string[] | undefined {
  if (raw === undefined || raw === null) return undefined;
  const parts: unknown[] = Array.isArray(raw) ? raw : [raw];
  return parts.flatMap((part) => {
    if (typeof part !== 'string') throw malformed(path, 'must be names, separated by commas');
    return part
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  });
}
