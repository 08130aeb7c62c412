import { open } from 'node:fs/promises';
import type { AccessCommand } from './access-command';
import type { AccessFilesService, Difference } from './access-files.service';
import { CommandFault, type Output } from '../common/command';
import { FileFault } from './file-fault';
import { countChanges, jsonOf, formatChanges } from './format-difference';
import { writeWhole } from './write-whole';
import { MAX_BYTES } from './yaml-document';

const NO_DIFFERENCE = 0;
const DRIFT = 2;

/**
 * Runs one command.
 * @returns the exit code: 0 where there is no difference or it was applied; 2 where there is one. Differences that
 * `apply` would leave alone do not count.
 * @throws CommandFault with what is wrong
 */
export async function runAccessCommand(
  files: AccessFilesService,
  command: AccessCommand,
  output: Output,
): Promise<number> {
  const { verb, file } = command;
  if (verb === 'export') return exportTo(file, files, output);
  const bytes = await bytesOf(file);
  try {
    const dryRun = !command.yes;
    const applied = verb === 'apply' && !dryRun;
    const found =
      verb === 'diff'
        ? await files.diff(bytes, command)
        : await files.apply(bytes, { prune: command.prune, dryRun });
    printDifference(found, command, output);
    return applied || found.due.length === 0 ? NO_DIFFERENCE : DRIFT;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new CommandFault(error.messageFor(file), { cause: error });
  }
}

async function exportTo(file: string, files: AccessFilesService, output: Output): Promise<number> {
  const { text, notes } = await files.export();
  await writeWhole(file, text, output).catch((error: unknown) => {
    throw fileFault(error, file, 'written');
  });
  for (const note of notes) output.err(`Note: ${note}`);
  return NO_DIFFERENCE;
}

function printDifference(
  found: Difference,
  { verb, yes, prune, json }: AccessCommand,
  output: Output,
): void {
  const applied = verb === 'apply' && yes;
  if (json) return output.out(jsonOf(found, applied));
  const { changes, due, notes } = found;
  for (const line of formatChanges(due, output.colours)) output.out(line);
  for (const note of notes) output.out(`Note: ${note}`);
  const kept = changes.length - due.length;
  if (kept > 0)
    output.out(
      `What the file lacks (${kept}) is kept; --prune ${verb === 'diff' ? 'counts' : 'deletes'} it.`,
    );
  if (due.length === 0) output.out('The database matches the file.');
  else if (verb === 'diff') output.out(`The file and the database differ: ${countChanges(due)}.`);
  else if (applied) output.out(`Applied: ${countChanges(due)}.`);
  else output.out(`Tried, and nothing changed: ${countChanges(due)}. ${howTo(prune)} applies it.`);
}

const howTo = (prune: boolean): string => (prune ? '--prune --yes' : '--yes');

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      if (size > MAX_BYTES)
        throw new CommandFault(`${file} is larger than ${MAX_BYTES / 1_000_000} MB.`);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileFault(error, file, 'read');
  }
}

function fileFault(error: unknown, file: string, done: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return new CommandFault(`${file} cannot be ${done} (${code}).`, { cause: error });
}
