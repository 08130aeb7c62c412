import {
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  visit,
} from 'yaml';
import type { AccessSource, Path } from './access-source';
import { type Fault, FileFault } from './file-fault';

/** The largest file, in bytes: read in some seconds, and enough for about ten thousand rules. */
export const MAX_BYTES = 4_000_000;
/** How many lists and objects may contain one another: far more than a rule may, and far fewer than fill the stack. */
const MAX_DEPTH = 300;

/** One YAML document of plain data, without aliases, tags or anything else that could be read in two ways. */
export class YamlDocument implements AccessSource {
  readonly value: unknown;

  private constructor(
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {
    this.value = document.toJS({ maxAliasCount: 0 });
  }

  /** @throws FileFault that names everything that is wrong */
  static parse(bytes: Uint8Array): YamlDocument {
    const text = decode(bytes);
    const lineCounter = new LineCounter();
    const composer = new Composer({
      version: '1.2',
      schema: 'core',
      strict: true,
      customTags: [],
      // Checked below: here each key would be compared with every other.
      uniqueKeys: false,
    });
    const tokens = tokensOf(text, lineCounter);
    const [document, second] = composer.compose(tokens, true, text.length);
    if (!document) throw new Error('The parser makes a document of any text');
    const faults = syntaxFaults(document, second, lineCounter);
    const found = faults.length > 0 ? faults : faultsIn(document, lineCounter);
    if (found.length > 0) throw new FileFault(found);
    return new YamlDocument(document, lineCounter);
  }

  /** A fault at the position of a path, or at its nearest existing ancestor. */
  fault(path: Path, reason: string): Fault {
    return placed(this.lines, startOf(this.document, path), reason);
  }
}

/** For errors that the parser words for programs. */
const REASONS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_ALIAS: 'begins like an alias: put "*" in quotes',
};

/**
 * The syntax of a text, which the parser reads without recursion. What is composed of it is made by recursion: without
 * a bound it would end the process, or take minutes.
 * @throws FileFault where it is nested too deeply
 */
function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token> {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > MAX_DEPTH) {
      throw new FileFault([placed(lines, parser.offset, 'is nested too deeply')]);
    }
  }
  yield* parser.end();
}

const AT_START = (reason: string): Fault => ({ place: '1:1', reason });

function decode(bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES) {
    throw new FileFault([AT_START(`is larger than ${MAX_BYTES / 1_000_000} MB`)]);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileFault([AT_START('is not UTF-8')]);
  }
}

function placed(lines: LineCounter, offset: number, reason: string): Fault {
  const { line, col } = lines.linePos(offset);
  return { place: `${Math.max(line, 1)}:${Math.max(col, 1)}`, reason };
}

function syntaxFaults(
  document: Document.Parsed,
  second: Document.Parsed | undefined,
  lines: LineCounter,
): Fault[] {
  const faults = [...document.errors, ...document.warnings].map((error) =>
    placed(lines, error.pos[0], REASONS[error.code] ?? error.message),
  );
  if (second)
    faults.push(placed(lines, second.range[0], 'begins a second document; a file is one'));
  return faults;
}

/** Reports everything in the document that is not plain data. */
function faultsIn(document: Document, lines: LineCounter): Fault[] {
  const faults: Fault[] = [];
  const add = (node: Node | null, reason: string | undefined): void => {
    if (reason !== undefined) faults.push(placed(lines, node?.range?.[0] ?? 0, reason));
  };
  if (document.directives?.yaml.explicit === true) add(null, 'must have no %YAML directive');
  // `visit` calls only the most specific visitor for a node: beside this one, a visitor for scalars would hide them
  // from it.
  visit(document, {
    Node: (key, node) => {
      add(node, markFault(node));
      if (isScalar(node) && key !== 'key') add(node, numberFault(node.value));
      if (!isMap(node)) return;
      const names = new Set<unknown>();
      for (const { key: name } of node.items)
        add(isNode(name) ? name : node, keyFault(name, names));
    },
  });
  return faults;
}

function markFault(node: Node): string | undefined {
  if (isAlias(node)) return 'must have no aliases';
  if (node.anchor !== undefined) return 'must have no anchors';
  return node.tag === undefined ? undefined : 'must have no tags';
}

function numberFault(value: unknown): string | undefined {
  if (typeof value !== 'number') return undefined;
  const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return exact ? undefined : 'a number that is not exact must be in quotes';
}

function keyFault(key: unknown, before: Set<unknown>): string | undefined {
  const name = isScalar(key) ? key.value : undefined;
  if (typeof name !== 'string') return 'a name must be text: put it in quotes';
  if (name === '__proto__') return '"__proto__" is not allowed as a name';
  if (before.has(name)) return `"${name}" is listed twice`;
  before.add(name);
  return undefined;
}

function startOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let start = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    const found = memberOf(node, step);
    if (found === undefined) return start;
    const named = isPair(found) ? found.key : found;
    start = isNode(named) ? (named.range?.[0] ?? start) : start;
    node = isPair(found) ? found.value : found;
  }
  return start;
}

function memberOf(node: unknown, step: Path[number]): unknown {
  if (isMap(node)) return node.items.find(({ key }) => isScalar(key) && key.value === step);
  return isSeq(node) ? node.items[Number(step)] : undefined;
}
