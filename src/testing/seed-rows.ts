import type { INestApplication } from '@nestjs/common';
import { Collections } from '../collections';
import { AppError } from '../common/errors';
import type { Caller } from '../engine';
import { RulesCache } from '../rules';
import type { SeedData } from './seed-data';
import type { Names } from './names';

/**
 * Writes the rows one after the other, as the administrator.
 * @throws Error that names the first refused one
 */
export async function seedRows(
  app: INestApplication,
  names: Names,
  rows: NonNullable<SeedData['rows']>,
): Promise<void> {
  const collections = app.get(Collections);
  const admin = await app
    .get(RulesCache, { strict: false })
    .callerFor({ user: String(names.id('admin')), session: null, ip: null });
  if (!admin) throw new Error('There is no administrator');
  for (const [collection, seeds] of Object.entries(rows)) {
    const isNamed = !Array.isArray(seeds);
    for (const [name, row] of Object.entries(seeds)) {
      if (isNamed && names.has(name)) throw new Error(`There are two things called <${name}>`);
      const place = isNamed ? `${collection}.${name}` : `${collection}[${name}]`;
      const key = await write(collections, admin, {
        collection,
        place,
        row: () => names.fillRow(row),
      });
      if (isNamed) names.set(name, key);
    }
  }
}

interface RowSeed {
  readonly collection: string;
  /** Where it stands in the seed data, for the error: `invoices.first`. */
  readonly place: string;
  /** @throws Error where nothing has a name in it */
  readonly row: () => object;
}

/** @returns the key of the row */
async function write(
  collections: Collections,
  admin: Caller,
  { collection, place, row }: RowSeed,
): Promise<string | number> {
  try {
    const values = row();
    const repository = collections.repository(collection);
    const { key, singleton } = repository.collection;
    const answer = { fields: [key] };
    const { rows } = singleton
      ? await repository.updateSingleton(admin, values, answer)
      : await repository.create(admin, [values], answer);
    return rows[0]?.[key] as string | number;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const code = cause instanceof AppError ? ` (${cause.code})` : '';
    throw new Error(`rows.${place} was refused: ${message}${code}`, { cause });
  }
}
