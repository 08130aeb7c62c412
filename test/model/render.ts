import { fieldOf } from './tables';
import { type Asked, type AskedRelation, type Query, shownName } from './world';

type Raw = Record<string, unknown>;

/** The query as parameters. */
export function rendered({ asked, collection, key, meta, deleted }: Query): Raw {
  const all = {
    fields: pathsOf(asked),
    ...defined('alias', aliasesOf(asked)),
    ...defined('deep', deepOf(asked, collection)),
    ...(meta && { meta: '*' }),
    ...(deleted && { deleted }),
  };
  return key === null ? { ...all, ...parametersOf(asked) } : all;
}

const defined = (name: string, value: Raw): Raw =>
  Object.keys(value).length === 0 ? {} : { [name]: value };

function parametersOf({ filter, search, sort, limit, offset, page }: Asked): Raw {
  const all = {
    filter,
    search,
    sort: sort.length === 0 ? null : sort.join(','),
    limit,
    offset,
    page,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

const pathsOf = (asked: Asked): string[] => [
  ...(asked.star ? ['*'] : []),
  ...asked.fields.map(({ as, name }) => (as === shownName(name) ? name : as)),
  ...asked.relations.flatMap(({ as, asked: inner }) =>
    inner ? pathsOf(inner).map((path) => `${as}.${path}`) : [as],
  ),
];

const aliasesOf = ({ fields, relations }: Asked): Raw =>
  Object.fromEntries(
    [...fields, ...relations]
      .filter(({ as, name }) => as !== shownName(name))
      .map(({ as, name }) => [as, name]),
  );

function deepOf(asked: Asked, collection: string): Raw {
  return Object.fromEntries(
    asked.relations
      .map(({ as, name, asked: inner }): [string, Raw] => [
        as,
        inner ? relationParameters({ as, name, asked: inner }, collection) : {},
      ])
      .filter(([, parameters]) => Object.keys(parameters).length > 0),
  );
}

function relationParameters(
  { name, asked }: AskedRelation & { asked: Asked },
  collection: string,
): Raw {
  const field = fieldOf(collection, name);
  const own = { ...parametersOf(asked), ...defined('alias', aliasesOf(asked)) };
  return {
    ...Object.fromEntries(Object.entries(own).map(([word, value]) => [`_${word}`, value])),
    ...(field.kind === 'column' ? {} : deepOf(asked, field.target)),
  };
}
