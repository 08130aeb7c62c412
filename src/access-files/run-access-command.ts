import { open } from 'node:fs/promises';
import type { AccessCommand } from './access-command';
import type { AccessFilesService, Difference } from './access-files.service';
import { CommandFault, type Output } from '../common/command';
import { FileFault } from './file-fault';
import { countChanges, jsonOf, formatChanges } from './format-difference';
import { replaceFile } from './replace-file';
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
    const found =
      verb === 'diff'
        ? await files.diff(bytes, command)
        : await files.apply(bytes, { prune: command.prune, dryRun: !command.yes });
    printDifference(found, command, output);
    return isApplied(command) || found.due.length === 0 ? NO_DIFFERENCE : DRIFT;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new CommandFault(error.messageFor(file), { cause: error });
  }
}

const isApplied = ({ verb, yes }: AccessCommand): boolean => verb === 'apply' && yes;

async function exportTo(file: string, files: AccessFilesService, output: Output): Promise<number> {
  const { text, notes } = await files.export();
  await replaceFile(file, text, output).catch((error: unknown) => {
    throw fileFault(error, file, 'written');
  });
  for (const note of notes) output.err(`Note: ${note}`);
  return NO_DIFFERENCE;
}

function printDifference(found: Difference, command: AccessCommand, output: Output): void {
  if (command.json) return output.out(jsonOf(found, { applied: isApplied(command) }));
  const { changes, due, notes } = found;
  for (const line of formatChanges(due, output)) output.out(line);
  for (const note of notes) output.out(`Note: ${note}`);
  const kept = changes.length - due.length;
  if (kept > 0) {
    const does = command.verb === 'diff' ? 'counts' : 'deletes';
    output.out(`What the file lacks (${kept}) is kept; --prune ${does} it.`);
  }
  output.out(resultOf(due, command));
}

function resultOf(due: Difference['due'], command: AccessCommand): string {
  if (due.length === 0) return 'The database matches the file.';
  const counts = countChanges(due);
  if (command.verb === 'diff') return `The file and the database differ: ${counts}.`;
  if (isApplied(command)) return `Applied: ${counts}.`;
  const options = command.prune ? '--prune --yes' : '--yes';
  return `Tried, and nothing changed: ${counts}. ${options} applies it.`;
}

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
