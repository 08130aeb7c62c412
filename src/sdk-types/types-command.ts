import { writeFile } from 'node:fs/promises';
import { CommandFault, type Output, parseCommand } from '../common/command';
import type { EntityClass, Extension } from '../common/schema';
import { sdkSchema } from './sdk-schema';

export const USAGE = `Usage:
  doorward types                 prints the types of all collections, for createDirectus<Schema>(url) of @directus/sdk
  doorward types --out FILE      writes them to FILE
No database is needed.`;

interface TypesCommand {
  readonly out?: string;
}

/**
 * @param args the words after `doorward types`
 * @throws CommandFault with the usage
 */
export function parseTypesCommand(args: readonly string[]): TypesCommand {
  const { values, positionals } = parseCommand(args, { out: { type: 'string' } }, USAGE);
  if (positionals.length > 0 || values.out === '') {
    throw new CommandFault(`types takes only --out FILE.\n${USAGE}`);
  }
  return values.out === undefined ? {} : { out: values.out };
}

/** @returns the exit code */
export async function runTypesCommand(
  { out }: TypesCommand,
  schema: { readonly entities: readonly EntityClass[]; readonly extensions?: readonly Extension[] },
  output: Output,
): Promise<number> {
  const text = sdkSchema(schema.entities, schema.extensions);
  if (out === undefined) {
    output.out(text.trimEnd());
    return 0;
  }
  try {
    await writeFile(out, text);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new CommandFault(`${out} cannot be written (${code}).`, { cause });
  }
  return 0;
}
