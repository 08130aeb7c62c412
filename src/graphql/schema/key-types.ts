import {
  GraphQLID,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLNullableType,
} from 'graphql';

type NullableInput = GraphQLInputType & GraphQLNullableType;

/** An argument that must be there. */
export const required = <T extends NullableInput>(type: T) => ({ type: new GraphQLNonNull(type) });

/** A list that may be left out, without nulls in it. */
export const listType = <T extends NullableInput>(type: T) => ({
  type: new GraphQLList(new GraphQLNonNull(type)),
});

export const ID = { type: new GraphQLNonNull(GraphQLID) };
export const IDS = { type: new GraphQLNonNull(new GraphQLList(ID.type)) };

export const DeletedOne = new GraphQLObjectType({ name: 'delete_one', fields: { id: ID } });
export const DeletedMany = new GraphQLObjectType({ name: 'delete_many', fields: { ids: IDS } });
