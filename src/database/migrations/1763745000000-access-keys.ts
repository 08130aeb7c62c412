import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys of roles and policies, which name them in files, independent of their names and of the database. */
export class AccessKeys1763745000000 implements MigrationInterface {
  readonly name = 'AccessKeys1763745000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE "${table}" ADD "key" varchar(64)`);
      await queryRunner.query(`CREATE UNIQUE INDEX "${table}_key" ON "${table}" ("key")`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`ALTER TABLE "${table}" DROP COLUMN "key"`);
  }
}

const TABLES = ['service_roles', 'service_policies'];
