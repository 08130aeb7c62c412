/** Why a command cannot do what it is told: shown as it is, without a stack. Nothing was changed. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';
}
