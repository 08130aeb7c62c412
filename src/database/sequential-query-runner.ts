import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { Query } from 'typeorm/driver/Query.js';

type Answer = ReturnType<PostgresQueryRunner['query']>;
type Queries = Parameters<PostgresQueryRunner['executeQueries']>[0];

interface Described {
  readonly schema?: string;
  readonly table?: string;
  readonly name?: string;
}

/** The expression of a generated column, in PostgreSQL's own wording. */
const EXPRESSION = `
  SELECT pg_get_expr(stored.adbin, stored.adrelid) AS value
  FROM pg_attrdef stored
  JOIN pg_attribute made ON made.attrelid = stored.adrelid AND made.attnum = stored.adnum
  WHERE stored.adrelid = to_regclass(format('%I.%I', $1::text, $2::text)) AND made.attname = $3`;
const NOTHING = new Query('');

/**
 * TypeORM describes tables by several simultaneous queries on one client, which `pg` warns about. Here they are sent
 * one after another. It also keeps the expressions of generated columns in a table of its own, which only its own
 * synchronisation creates and fills; here they are read from the catalogue, and nothing needs that table.
 */
export class SequentialQueryRunner extends PostgresQueryRunner {
  private last: Promise<unknown> = Promise.resolve();

  override query(...given: Parameters<PostgresQueryRunner['query']>): Answer {
    const answer = this.last.then((): Answer => super.query(...given));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  override executeQueries(up: Queries, down: Queries): Promise<void> {
    return super.executeQueries(withoutNothing(up), withoutNothing(down));
  }

  protected override insertTypeormMetadataSql(): Query {
    return NOTHING;
  }

  protected override deleteTypeormMetadataSql(): Query {
    return NOTHING;
  }

  protected override selectTypeormMetadataSql({ schema, table, name }: Described): Query {
    return new Query(EXPRESSION, [schema, table, name]);
  }
}

const withoutNothing = (queries: Queries): Query[] =>
  [queries].flat().filter((query) => query !== NOTHING);
