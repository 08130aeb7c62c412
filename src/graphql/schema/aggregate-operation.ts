import type { GraphQLResolveInfo } from 'graphql';
import type { CollectionShape } from '../../engine';
import type { CollectionService } from '../../collections/collection.service';
import { aggregatedType, COUNT_ALL, groupArguments } from './aggregate-types';
import type { Operation } from './operation';
import type { SchemaTypes } from './schema-types';
import { queryArguments, selectedNames } from './selection';

type Row = Readonly<Record<string, unknown>>;

/** `articles_aggregated`: the twin of `aggregate` and `groupBy` over REST. */
export function aggregateOperation(
  shape: CollectionShape,
  service: CollectionService,
  types: SchemaTypes,
): Operation {
  const name = types.nameOf(shape.name);
  return {
    kind: 'query',
    name: `${name}_aggregated`,
    access: { kind: 'permission', action: 'read', collection: shape.name },
    type: aggregatedType(name, shape),
    args: { ...types.listArguments(shape.name), ...groupArguments },
    resolve: async ({ who, args, info }) => {
      const aggregate = aggregatesOf(info);
      const { data } = await service.list(who, { ...queryArguments(args), aggregate });
      return (data as Row[]).map((row) => present(row, Object.keys(aggregate)));
    },
  };
}

/** Which functions of which fields the operation asks for. */
function aggregatesOf(info: GraphQLResolveInfo): Record<string, string[]> {
  const aggregates: Record<string, string[]> = {};
  for (const [fn, fields] of selectedNames(info)) {
    if (fn === 'group') continue;
    const known = fn === COUNT_ALL ? 'count' : fn;
    aggregates[known] = [...(aggregates[known] ?? []), ...(fn === COUNT_ALL ? ['*'] : fields)];
  }
  return aggregates;
}

function present(row: Row, functions: readonly string[]): Row {
  const group = Object.fromEntries(
    Object.entries(row).filter(([name]) => !functions.includes(name)),
  );
  const { count } = row;
  const all = typeof count === 'object' ? (count as Row | null)?.['*'] : count;
  const computed = Object.fromEntries(functions.map((fn) => [fn, row[fn]]));
  return { ...computed, group, [COUNT_ALL]: all ?? null };
}
