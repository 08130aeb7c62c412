import { ApiError } from '../../api/client';
import { inWords } from '../../api/words';

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    INVALID_CREDENTIALS:
      'The sign-in was not accepted: no account here belongs to it, or the account is not active.',
    INVALID_OTP: 'The sign-in was refused: this project asks for a second factor.',
    FORBIDDEN: 'The sign-in was refused.',
    INVALID_TOKEN: 'The sign-in took too long or was interrupted. Start again.',
  }),
);

/** Anybody can write a link with a reason: only known codes are shown, as texts of these pages. */
export function reasonInWords(reason: string | undefined): string | undefined {
  if (reason === undefined) return undefined;
  return WORDS.get(reason) ?? inWords(new ApiError(reason));
}
