import { GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import type { CollectionShape } from '../../engine';
import type { RouteAccess } from '../../common/request/access.decorators';
import type { Answer } from '../../collections/answer';
import type { CollectionService } from '../../collections/collection.service';
import { aggregateOperation } from './aggregate-operation';
import type { Call, Operation } from './operation';
import type { SchemaTypes } from './schema-types';
import { queryArguments, selectionOf } from './selection';

const ID = { type: new GraphQLNonNull(GraphQLID) };
const IDS = { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLID))) };

const DeletedOne = new GraphQLObjectType({ name: 'delete_one', fields: { id: ID } });
const DeletedMany = new GraphQLObjectType({ name: 'delete_many', fields: { ids: IDS } });

const dataOf = async (answer: Promise<Answer | undefined>): Promise<unknown> =>
  (await answer)?.data ?? null;

/** Every operation that a collection has of itself: the REST routes' twins, on the same service. */
export function collectionOperations(
  shape: CollectionShape,
  service: CollectionService,
  types: SchemaTypes,
): Operation[] {
  return shape.singleton
    ? singletonOperations(shape, service, types)
    : [
        ...readOperations(shape, service, types),
        aggregateOperation(shape, service, types),
        ...writeOperations(shape, service, types),
        ...deleteOperations(shape, service, types),
      ];
}

const demand = (
  action: 'create' | 'read' | 'update' | 'delete',
  { name }: CollectionShape,
): RouteAccess => ({
  kind: 'permission',
  action,
  collection: name,
});

function readOperations(
  shape: CollectionShape,
  service: CollectionService,
  types: SchemaTypes,
): Operation[] {
  const name = types.nameOf(shape.name);
  const access = demand('read', shape);
  return [
    {
      kind: 'query',
      name,
      access,
      type: types.list(shape.name),
      args: types.listArguments(shape.name),
      resolve: ({ who, args, info, budget }) =>
        dataOf(service.list(who, { ...queryArguments(args), ...selectionOf(info) }, budget)),
    },
    {
      kind: 'query',
      name: `${name}_by_id`,
      access,
      type: types.item(shape.name),
      args: { id: ID },
      resolve: ({ who, args, info, budget }) =>
        dataOf(service.one(who, String(args['id']), selectionOf(info), budget)),
    },
  ];
}

function writeOperations(
  shape: CollectionShape,
  service: CollectionService,
  types: SchemaTypes,
): Operation[] {
  const name = types.nameOf(shape.name);
  const [item, list] = [types.item(shape.name), types.list(shape.name)];
  const [create, update] = [
    types.payload('create', shape.name),
    types.payload('update', shape.name),
  ];
  const [one, patch] = [{ type: new GraphQLNonNull(create) }, { type: new GraphQLNonNull(update) }];
  const listed = (type: typeof create) => ({ type: new GraphQLList(new GraphQLNonNull(type)) });
  const createdBy = ({ who, args, info }: Call) =>
    dataOf(service.create(who, args['data'] ?? [], selectionOf(info)));
  const updatedBy = (body: (args: Call['args']) => unknown) => (call: Call) =>
    dataOf(service.updateMany(call.who, body(call.args), selectionOf(call.info)));
  const creating = {
    kind: 'mutation',
    access: demand('create', shape),
    resolve: createdBy,
  } as const;
  const updating = { kind: 'mutation', access: demand('update', shape) } as const;
  return [
    { ...creating, name: `create_${name}_item`, type: item, args: { data: one } },
    { ...creating, name: `create_${name}_items`, type: list, args: { data: listed(create) } },
    {
      ...updating,
      name: `update_${name}_item`,
      type: item,
      args: { id: ID, data: patch },
      resolve: ({ who, args, info }) =>
        dataOf(service.updateOne(who, String(args['id']), args['data'], selectionOf(info))),
    },
    {
      ...updating,
      name: `update_${name}_items`,
      type: list,
      args: { id: IDS, data: patch },
      resolve: updatedBy((args) => ({ keys: args['id'], data: args['data'] })),
    },
    {
      ...updating,
      name: `update_${name}_batch`,
      type: list,
      args: { data: listed(update) },
      resolve: updatedBy((args) => args['data'] ?? []),
    },
  ];
}

function deleteOperations(
  shape: CollectionShape,
  service: CollectionService,
  types: SchemaTypes,
): Operation[] {
  const name = types.nameOf(shape.name);
  const deleting = { kind: 'mutation', access: demand('delete', shape) } as const;
  return [
    {
      ...deleting,
      name: `delete_${name}_item`,
      type: DeletedOne,
      args: { id: ID },
      resolve: async ({ who, args }) => {
        await service.deleteOne(who, String(args['id']));
        return { id: args['id'] };
      },
    },
    {
      ...deleting,
      name: `delete_${name}_items`,
      type: DeletedMany,
      args: { ids: IDS },
      resolve: async ({ who, args }) => {
        await service.deleteMany(who, args['ids']);
        return { ids: args['ids'] };
      },
    },
  ];
}

function singletonOperations(
  shape: CollectionShape,
  service: CollectionService,
  types: SchemaTypes,
): Operation[] {
  const name = types.nameOf(shape.name);
  const type = types.item(shape.name);
  return [
    {
      kind: 'query',
      name,
      access: demand('read', shape),
      type,
      resolve: ({ who, info, budget }) =>
        dataOf(service.readSingleton(who, selectionOf(info), budget)),
    },
    {
      kind: 'mutation',
      name: `update_${name}`,
      access: demand('update', shape),
      type,
      args: { data: { type: new GraphQLNonNull(types.payload('update', shape.name)) } },
      resolve: ({ who, args, info }) =>
        dataOf(service.updateSingleton(who, args['data'], selectionOf(info))),
    },
  ];
}
