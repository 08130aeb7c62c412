import { buildSchema, execute, type GraphQLSchema, parse } from 'graphql';
import { shareNoArguments } from './no-arguments';

const SDL = 'type Query { plain: Int taking(of: Int = 2): Int }';

/** What the fields of one execution are called with. */
function heard(schema: GraphQLSchema): object[] {
  const all: object[] = [];
  const field = (args: object): number => all.push(args);
  const document = parse('{ a: plain b: plain c: taking d: taking(of: 3) }');
  const { errors } = execute({
    schema,
    document,
    rootValue: { plain: field, taking: field },
  }) as { errors?: unknown };
  expect(errors).toBeUndefined();
  return all;
}

test('fields that take no arguments share an empty object; others get their own arguments', () => {
  const schema = buildSchema(SDL);
  shareNoArguments(schema);
  const [a, b, c, d] = heard(schema);
  expect(a).toBe(b);
  expect([a, c, d].map((args) => ({ ...args }))).toEqual([{}, { of: 2 }, { of: 3 }]);
  expect(Object.isFrozen(a)).toBe(true);
});

test('nothing changes for another schema of the process', () => {
  shareNoArguments(buildSchema(SDL));
  const [a, b] = heard(buildSchema(SDL));
  expect(a).not.toBe(b);
  expect(Object.isFrozen(a)).toBe(false);
});
