import { parseArgs } from 'node:util';

/** Why a command cannot run: shown as it is, without a stack. Nothing was changed. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';
}

/** The output of a command: `out` for results, `err` for everything else. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
  readonly colours: boolean;
}

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;
type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; args: string[] }>
>;

/** @throws CommandFault with the usage, for an unknown option */
export function parseCommand<const O extends Options>(
  args: readonly string[],
  options: O,
  usage: string,
): Parsed<O> {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new CommandFault(`${(error as Error).message}\n${usage}`, { cause: error });
  }
}
