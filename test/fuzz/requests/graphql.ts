import { getNamedType, type GraphQLField, type GraphQLObjectType, isObjectType } from 'graphql';
import { CANARY, jsonOf, oddText, oddValue, secretText, corrupted } from '../odd';
import type { Random } from '../random';
import type { Endpoint, Surface } from '../surface';
import { Inputs, literal } from './graphql-inputs';
import { bodyOf, escaped, type FuzzRequest, type Known, MAX_PATH, oddHeaders } from './request';

type Field = GraphQLField<unknown, unknown>;

/** A document under construction: its variables and their declarations. */
interface Draft {
  readonly variables: Record<string, unknown>;
  readonly declared: string[];
}

const INTROSPECTION =
  '{ __schema { types { name fields { name type { name ofType { name } } } } } }';
const CIRCLE = 'query { ...a } fragment a on Query { ...b } fragment b on Query { ...a }';

/** Requests to the GraphQL endpoints, made from their schemas. */
export class GraphqlRequests {
  private readonly inputs: Inputs;

  constructor(
    private readonly surface: Surface,
    private readonly known: Known,
    private readonly random: Random,
  ) {
    this.inputs = new Inputs(surface, known, random);
  }

  make(caller: string | null): FuzzRequest {
    const { random } = this;
    const endpoint = random.pick(this.surface.endpoints);
    const draft: Draft = { variables: {}, declared: [] };
    const document = this.document(endpoint, draft);
    const query = random.chance(0.08) ? this.garbled(document) : document;
    const envelope = { query, variables: this.variablesOf(draft), ...this.extras() };
    const headers = random.chance(0.1) ? oddHeaders(random, this.known) : {};
    if (random.chance(0.02)) return { ...this.asGet(endpoint, query), caller, headers };
    return {
      caller,
      method: 'POST',
      path: endpoint.path,
      headers: { 'content-type': 'application/json', ...headers },
      body: bodyOf(jsonOf(random.chance(0.04) ? this.spoiltEnvelope(envelope) : envelope), random),
      writes: query.includes('mutation'),
    };
  }

  private asGet({ path }: Endpoint, query: string): Omit<FuzzRequest, 'caller' | 'headers'> {
    const target = `${path}?query=${escaped(query)}`.slice(0, MAX_PATH);
    return { method: 'GET', path: target, body: undefined, writes: false };
  }

  private variablesOf({ variables }: Draft): unknown {
    return this.random.chance(0.1) ? corrupted(variables, this.random) : variables;
  }

  private extras(): object {
    const { random } = this;
    return random.chance(0.95)
      ? {}
      : random.pick<object>([
          { operationName: oddValue(random) },
          { operationName: 'other' },
          { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } },
          { extensions: oddValue(random) },
          { id: 1 },
        ]);
  }

  private spoiltEnvelope(envelope: object): unknown {
    const { random } = this;
    return random.chance(0.3)
      ? random.times(random.int(30), () => envelope)
      : corrupted(envelope, random);
  }

  /** A missing or additional quote turns values into names, and a syntax error repeats names: so without the canary. */
  private garbled(written: string): string {
    const { random } = this;
    const document = written.replaceAll(CANARY, '');
    const at = random.int(document.length);
    const length = random.int(10);
    const put = random.pick([
      '',
      '{',
      '}',
      '"',
      '"""',
      '$',
      '@skip(if: $x)',
      '...',
      '#',
      '\u0000',
      oddText(random),
    ]);
    return document.slice(0, at) + put + document.slice(at + length);
  }

  private document(endpoint: Endpoint, draft: Draft): string {
    const { random } = this;
    const { schema } = endpoint;
    const root = random.chance(0.55) ? schema.getMutationType() : schema.getQueryType();
    if (!root || random.chance(0.02)) return this.excess(endpoint);
    const kind = root === schema.getMutationType() ? 'mutation' : 'query';
    const count = random.chance(0.9) ? 1 : random.int(4);
    const fields = random.times(count, () => this.field(random.pick(fieldsOf(root)), draft, 3));
    const declared = draft.declared.length > 0 ? ` named(${draft.declared.join(', ')})` : '';
    return `${kind}${declared} { ${fields.join(' ')} }`;
  }

  /** A query that exceeds a limit. */
  private excess({ schema }: Endpoint): string {
    const { random } = this;
    const deep = (depth: number, name: string): string =>
      `{ ${name} `.repeat(depth) + '{ id }' + ' }'.repeat(depth);
    return random.way([
      [1, () => INTROSPECTION],
      [1, () => CIRCLE],
      [1, () => `query { roles ${deep(random.int(60), 'parent')} }`],
      [1, () => `query { roles { ${'id '.repeat(random.int(4000))} } }`],
      [
        1,
        () =>
          `query { ${random.times(random.int(60), () => `a${random.int(1e6)}: __typename`).join(' ')} }`,
      ],
      [1, () => `mutation { ${random.times(random.int(40), () => this.signIn()).join(' ')} }`],
      [1, () => `subscription { ${oddText(random)} }`],
      [1, () => `query a { __typename } query b { __typename }`],
      [1, () => '['.repeat(random.int(5000))],
      [
        1,
        () => `query { __type(name: ${literal(oddText(random))}) { name ${deep(10, 'ofType')} } }`,
      ],
      [1, () => `query { ${Object.keys(schema.getTypeMap()).join(' ')} }`],
    ]);
  }

  private signIn(): string {
    const { random } = this;
    const of = (name: string): string => literal(random.pick(this.known[name] ?? ['']));
    return `a${random.int(1e6)}: auth_login(email: ${of('email')}, password: ${literal(secretText(random))}) { expires }`;
  }

  private field(field: Field, draft: Draft, depth: number): string {
    const { random } = this;
    const alias = random.chance(0.1)
      ? `${random.pick(['a', '_a', '__proto__', 'constructor'])}: `
      : '';
    const args = this.arguments(field, draft);
    const type = getNamedType(field.type);
    const selection = isObjectType(type) ? this.selection(type, draft, depth) : '';
    const wrong = random.chance(0.01) ? ' { id }' : '';
    return `${alias}${field.name}${args}${this.directive()}${selection}${wrong}`;
  }

  private directive(): string {
    return this.random.chance(0.98)
      ? ''
      : this.random.pick([
          ' @skip(if: false)',
          ' @include(if: true)',
          ' @skip',
          ' @odd(a: 1)',
          ' @include(if: $no)',
        ]);
  }

  private selection(type: GraphQLObjectType, draft: Draft, depth: number): string {
    const { random } = this;
    const leaves = fieldsOf(type).filter((each) => !isObjectType(getNamedType(each.type)));
    const from = depth > 0 ? fieldsOf(type) : leaves;
    const picked = random.times(1 + random.int(4), () => random.pick(from));
    const fields = picked.map((each) => this.field(each, draft, depth - 1));
    if (random.chance(0.05))
      fields.push(
        random.pick([
          '__typename',
          'nothing',
          `... on ${type.name} { __typename }`,
          '... on Query { users { id } }',
        ]),
      );
    return ` { ${fields.join(' ')} }`;
  }

  private arguments({ args }: Field, draft: Draft): string {
    const given = args.filter((arg) =>
      this.random.chance(isDemanded(String(arg.type)) ? 0.97 : 0.25),
    );
    const written = given.map((arg) => {
      const value = this.inputs.valueOf(arg.type, arg.name);
      if (this.random.chance(isPlain(value) ? 0.5 : 0.2)) return `${arg.name}: ${literal(value)}`;
      const name = `v${draft.declared.length}`;
      draft.declared.push(`$${name}: ${String(arg.type)}`);
      draft.variables[name] = value;
      return `${arg.name}: $${name}`;
    });
    if (this.random.chance(0.01)) written.push('odd: 1');
    return written.length > 0 ? `(${written.join(', ')})` : '';
  }
}

const isDemanded = (type: string): boolean => type.endsWith('!');

/** A value whose literal is valid: it has no odd members. */
const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

const fieldsOf = (type: GraphQLObjectType): Field[] => Object.values(type.getFields());
