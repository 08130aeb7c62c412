import isEmail from 'validator/lib/isEmail';
import type { EnvReader } from './env-reader';

/** Never written as one text: in a text, a comma or a `<` makes two addresses of one. */
export interface MailAddress {
  readonly name?: string | undefined;
  readonly address: string;
}

const NAMED = /^([^<>"\p{Cc}]*)<([^<>\s]+)>$/u;

/** `name@host`, or `Name <name@host>`; unset, an address that no answer reaches, at the host of PUBLIC_URL. */
export function readSender(env: EnvReader, name: string, publicUrl: string): MailAddress {
  const written = env.text(name);
  if (written === undefined) return { address: `no-reply@${hostOf(publicUrl)}` };
  const [, named, within] = NAMED.exec(written) ?? [];
  const address = within ?? written;
  // A mail catcher on the same machine takes those of `localhost` too.
  if (
    !isEmail(address, { require_tld: false, allow_display_name: false, blacklisted_chars: '"' })
  ) {
    env.fault(name, 'must be an e-mail address, or Name <address>');
  }
  return { name: named?.trim() || undefined, address };
}

/** The host as far as it can stand in an address. */
export const hostOf = (publicUrl: string): string => {
  const { hostname } = new URL(publicUrl);
  return /^[a-z\d.-]*[a-z][a-z\d.-]*$/i.test(hostname) ? hostname : 'localhost';
};
