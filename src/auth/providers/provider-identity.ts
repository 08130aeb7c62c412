import { InvalidCredentials } from '../../common/errors';
import type { AuthProviderConfig } from '../../config/auth-providers';
import { isStorableText } from '../../engine';

export type Claims = Readonly<Record<string, unknown>>;

/** A person as identified by a provider. */
export interface ProviderIdentity {
  /** Identifies them among all users of the provider: `sub`, or the configured claim. */
  readonly identifier: string;
  /** The identifier is the verified address, in lower case: providers may change how they spell it. */
  readonly isAddress: boolean;
  readonly email: string | null;
  /** The provider has checked that the address is theirs. */
  readonly verified: boolean;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

type Judged = Pick<AuthProviderConfig, 'identifierKey' | 'requireVerifiedEmail'>;

const MAX_LENGTH = 255;

/**
 * @param id the claims of the ID token
 * @param info additional claims from the provider's user info
 * @throws InvalidCredentials where claims are missing, or the address must be verified and is not
 */
export function identityOf(provider: Judged, id: Claims, info: Claims): ProviderIdentity {
  // Both from one source: the address of one and «verified» of the other may concern different mailboxes.
  const source = id['email'] === undefined ? info : id;
  const email = textOf(source['email']);
  const verified = email !== null && isTrue(source['email_verified']);
  if (provider.requireVerifiedEmail && !verified)
    throw refusal(email === null ? noClaim('email') : 'the e-mail is not verified');
  const claim = (name: string): unknown => (name === 'email' ? email : (id[name] ?? info[name]));
  const identifier = textOf(claim(provider.identifierKey));
  if (identifier === null) throw refusal(noClaim(provider.identifierKey));
  // Whichever claim is configured: people may edit it, so an address in it has to be the verified one.
  const isAddress = provider.identifierKey !== 'sub' && identifier.includes('@');
  if (isAddress) {
    if (!isSameAddress(identifier, email)) throw refusal('the identity is not the verified e-mail');
    if (!verified) throw refusal('the identity is an e-mail that is not verified');
  }
  const [firstName, lastName] = [textOf(claim('given_name')), textOf(claim('family_name'))];
  return {
    identifier: isAddress ? identifier.toLowerCase() : identifier,
    ...{ isAddress, email, verified, firstName, lastName },
  };
}

/** Whether the ID token has all necessary claims, so that the user info is not requested. */
export const isComplete = ({ identifierKey }: Judged, id: Claims): boolean =>
  id['email'] !== undefined && id[identifierKey] !== undefined;

const noClaim = (name: string): string => `there is no usable claim ${name}`;

const isSameAddress = (one: string, other: string | null): boolean =>
  one.toLowerCase() === other?.toLowerCase();

const refusal = (why: string): InvalidCredentials =>
  new InvalidCredentials({}, { cause: new Error(why) });

type InvalidCredentials = InstanceType<typeof InvalidCredentials>;

/** A text that a column can hold unchanged; a number becomes its digits. */
function textOf(claim: unknown): string | null {
  const text = Number.isSafeInteger(claim) ? String(claim) : claim;
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return null;
  return text.trim() === '' || !isStorableText(text) ? null : text;
}

/** Some providers send it as text. */
const isTrue = (claim: unknown): boolean => claim === true || claim === 'true';
