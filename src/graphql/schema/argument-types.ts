import {
  type GraphQLArgument,
  GraphQLID,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLNullableType,
} from 'graphql';

type NullableInput = GraphQLInputType & GraphQLNullableType;

/** A required argument. */
export const required = <T extends NullableInput>(type: T) => ({ type: new GraphQLNonNull(type) });

/** An optional list without nulls. */
export const listType = <T extends NullableInput>(type: T) => ({
  type: new GraphQLList(new GraphQLNonNull(type)),
});

export const ID = { type: new GraphQLNonNull(GraphQLID) };
export const IDS = { type: new GraphQLNonNull(new GraphQLList(ID.type)) };

/** The type that clients declare for their variables; nulls among the keys are refused with the other faults. */
const KEYS = new GraphQLList(GraphQLID);
export const LENIENT_IDS = { type: new GraphQLNonNull(KEYS) };

/** One of several equivalent arguments: exactly one of them must be given. */
export const ALTERNATIVE_IDS = { type: KEYS, extensions: { alternative: true } };

export const isAlternative = ({ extensions }: GraphQLArgument): boolean =>
  extensions['alternative'] === true;

export const DeletedOne = new GraphQLObjectType({ name: 'delete_one', fields: { id: ID } });
export const DeletedMany = new GraphQLObjectType({ name: 'delete_many', fields: { ids: IDS } });
