import type { GraphQLField, GraphQLFieldResolver } from 'graphql';

/** The key of a relation's rows in an answer: the name it was requested by, separate from the fields' own names. */
export const relationKey = (responseKey: string): string => `rel_${responseKey}`;

/** The same relation may be requested twice under two names, with other arguments. */
export const resolveRelation: GraphQLFieldResolver<unknown, unknown> = (
  source,
  _args,
  _context,
  info,
) => (source as Record<string, unknown>)[relationKey(String(info.path.key))];

/** Whether a field is answered by the rows read for a relation. */
export const isRelation = ({ resolve }: GraphQLField<unknown, unknown>): boolean =>
  resolve === resolveRelation;
