import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';

type Answer = ReturnType<PostgresQueryRunner['query']>;

/**
 * TypeORM describes tables by several simultaneous queries on one client, which `pg` warns about. Here they are sent
 * one after another.
 */
export class OrderlyRunner extends PostgresQueryRunner {
  private last: Promise<unknown> = Promise.resolve();

  override query(...given: Parameters<PostgresQueryRunner['query']>): Answer {
    const answer = this.last.then((): Answer => super.query(...given));
    this.last = answer.catch(() => undefined);
    return answer;
  }
}
