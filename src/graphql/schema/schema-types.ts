import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  type GraphQLInputFieldConfigMap,
  GraphQLID,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import {
  type CollectionShape,
  type FieldShape,
  functionsOf,
  isComparableField,
  isSent,
  type Schema,
} from '../../engine';
import { operatorFields, operatorInput } from './operator-inputs';
import { outputType, payloadType } from './field-types';
import { functionFields, functionInput, functionsName } from './function-types';
import { resolveRelation } from './relations';

const DELETED = new GraphQLEnumType({
  name: 'deleted_mode',
  values: {
    with: { description: 'Deleted items too.' },
    only: { description: 'Only deleted items.' },
  },
});

/** The GraphQL types of the collections, made when first asked for. Everything that may be masked is nullable. */
export class SchemaTypes {
  private readonly objects = new Map<string, GraphQLObjectType>();
  private readonly inputs = new Map<string, GraphQLInputObjectType>();

  constructor(
    private readonly schema: Schema,
    /** A collection's name in this schema. */
    readonly nameOf: (collection: string) => string,
  ) {}

  item(collection: string): GraphQLObjectType {
    const known = this.objects.get(collection);
    if (known) return known;
    const type = new GraphQLObjectType({
      name: this.nameOf(collection),
      fields: () => this.itemFields(this.shape(collection)),
    });
    this.objects.set(collection, type);
    return type;
  }

  list(collection: string): GraphQLOutputType {
    return new GraphQLList(new GraphQLNonNull(this.item(collection)));
  }

  /** The arguments of a list, at the root or in a relation. */
  listArguments(collection: string): GraphQLFieldConfigArgumentMap {
    return {
      filter: { type: this.filter(collection) },
      search: { type: GraphQLString },
      sort: { type: new GraphQLList(GraphQLString) },
      limit: { type: GraphQLInt },
      offset: { type: GraphQLInt },
      page: { type: GraphQLInt },
    };
  }

  /** The arguments that a relation lacks: where deleted items are kept, whether to include them. */
  rootArguments(collection: string): GraphQLFieldConfigArgumentMap {
    return this.shape(collection).deletedAt === undefined ? {} : { deleted: { type: DELETED } };
  }

  filter(collection: string): GraphQLInputObjectType {
    return this.input(`${this.nameOf(collection)}_filter`, () => this.filterFields(collection));
  }

  /** A payload; the service checks for required fields, since presets may fill them. */
  payload(action: 'create' | 'update', collection: string): GraphQLInputObjectType {
    return this.input(`${action}_${this.nameOf(collection)}_input`, () => {
      const all = [...this.shape(collection).fields.values()];
      const { key } = this.shape(collection);
      return Object.fromEntries(
        all
          .filter((field) => isSent(field, action))
          .map((field) => [
            field.name,
            { type: field.name === key ? GraphQLID : payloadType(field) },
          ]),
      );
    });
  }

  private itemFields(shape: CollectionShape): GraphQLFieldConfigMap<unknown, unknown> {
    const fields = [...shape.fields.values()];
    return Object.fromEntries([
      ...fields.filter(isComparableField).flatMap(functionFields),
      ...fields.map((field) => [field.name, this.itemField(field, field.name === shape.key)]),
    ]);
  }

  private itemField(field: FieldShape, isKey: boolean): GraphQLFieldConfig<unknown, unknown> {
    if (field.kind === 'column') return { type: isKey ? GraphQLID : outputType(field) };
    return {
      type: field.kind === 'to-one' ? this.item(field.target) : this.list(field.target),
      args: field.kind === 'to-one' ? {} : this.listArguments(field.target),
      resolve: resolveRelation,
    };
  }

  private filterFields(collection: string): GraphQLInputFieldConfigMap {
    const own = new GraphQLList(new GraphQLNonNull(this.filter(collection)));
    const fields = [...this.shape(collection).fields.values()].filter(isComparableField);
    return {
      ...Object.fromEntries(fields.flatMap((field) => this.filterField(field))),
      _and: { type: own },
      _or: { type: own },
    };
  }

  private filterField(field: FieldShape): [string, { type: GraphQLInputType }][] {
    const functions = functionsOf(field);
    return [
      [field.name, { type: this.fieldFilter(field) }],
      ...(functions.length === 0
        ? []
        : [
            [functionsName(field), { type: functionInput(functions) }] as [
              string,
              { type: GraphQLInputType },
            ],
          ]),
    ];
  }

  private fieldFilter(field: FieldShape): GraphQLInputObjectType {
    if (field.kind === 'column') return operatorInput(field.type);
    const name = this.nameOf(field.target);
    if (field.kind === 'to-one') {
      // Operators test the key; everything else applies to the related item.
      return this.input(`${name}_filter_relation`, () => ({
        ...this.filterFields(field.target),
        ...operatorFields(field.type),
      }));
    }
    return this.input(`${name}_filter_list`, () => ({
      ...this.filterFields(field.target),
      _some: { type: this.filter(field.target) },
      _none: { type: this.filter(field.target) },
      _null: { type: GraphQLBoolean },
      _nnull: { type: GraphQLBoolean },
    }));
  }

  private input(name: string, fields: () => GraphQLInputFieldConfigMap): GraphQLInputObjectType {
    const known = this.inputs.get(name);
    if (known) return known;
    const made = new GraphQLInputObjectType({ name, fields });
    this.inputs.set(name, made);
    return made;
  }

  shape(collection: string): CollectionShape {
    const shape = this.schema.get(collection);
    if (!shape) throw new Error(`There is no collection ${collection}`);
    return shape;
  }
}
