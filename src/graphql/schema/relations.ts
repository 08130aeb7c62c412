import type { GraphQLField, GraphQLFieldResolver } from 'graphql';

/** Where a relation's rows stand in an answer: under the name it was asked for by, apart from the fields' own names. */
export const relationKey = (responseKey: string): string => `rel_${responseKey}`;

/** The same relation may be asked for twice under two names, with other arguments. */
export const resolveRelation: GraphQLFieldResolver<unknown, unknown> = (
  source,
  _args,
  _context,
  info,
) => (source as Record<string, unknown>)[relationKey(String(info.path.key))];

/** Whether a field is answered by what was read of a relation. */
export const isRelation = ({ resolve }: GraphQLField<unknown, unknown>): boolean =>
  resolve === resolveRelation;
