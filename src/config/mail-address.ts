import isEmail from 'validator/lib/isEmail';
import type { EnvReader } from './env-reader';

/** Name and address apart: in one text, a comma or a `<` would make two addresses. */
export interface MailAddress {
  readonly name?: string | undefined;
  readonly address: string;
}

const NAMED = /^([^<>"\p{Cc}]*)<([^<>\s]+)>$/u;

/** `name@host`, or `Name <name@host>`; by default `no-reply` at the host of PUBLIC_URL. */
export function readSender(env: EnvReader, name: string, publicUrl: string): MailAddress {
  const written = env.text(name);
  if (written === undefined) return { address: `no-reply@${hostOf(publicUrl)}` };
  const [, named, within] = NAMED.exec(written) ?? [];
  const address = within ?? written;
  // A mail catcher on the same machine accepts `localhost` too.
  if (
    !isEmail(address, { require_tld: false, allow_display_name: false, blacklisted_chars: '"' })
  ) {
    env.fault(name, 'must be an e-mail address, or Name <address>');
  }
  return { name: named?.trim() || undefined, address };
}

/** The host of the URL; `localhost` where a mail address cannot have it, such as an IP address. */
export const hostOf = (publicUrl: string): string => {
  const { hostname } = new URL(publicUrl);
  return /^[a-z\d.-]*[a-z][a-z\d.-]*$/i.test(hostname) ? hostname : 'localhost';
};
