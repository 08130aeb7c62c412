import { InvalidCredentials } from '../../common/errors';
import type { AuthProviderConfig } from '../../config/auth-providers';
import { isStorableText } from '../../engine';

export type Claims = Readonly<Record<string, unknown>>;

/** Somebody as their provider knows them. */
export interface ProviderIdentity {
  /** What tells them apart from all others of the provider: `sub`, or the claim that is configured. */
  readonly identifier: string;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

type Judged = Pick<AuthProviderConfig, 'identifierKey' | 'requireVerifiedEmail'>;

const MAX_LENGTH = 255;

/**
 * @param id the claims of the ID token
 * @param info what the provider's user info adds
 * @throws InvalidCredentials where they say too little, or the address is not verified and has to be
 */
export function identityOf(provider: Judged, id: Claims, info: Claims): ProviderIdentity {
  // Of one source, both: an address of one and «verified» of the other may be of different mailboxes.
  const source = id['email'] === undefined ? info : id;
  const email = textOf(source['email']);
  const verified = email !== null && isTrue(source['email_verified']);
  if (provider.requireVerifiedEmail && !verified) throw refusal('the e-mail is not verified');
  const claim = (name: string): unknown => (name === 'email' ? email : (id[name] ?? info[name]));
  const identifier = textOf(claim(provider.identifierKey));
  if (identifier === null) throw refusal(`there is no usable claim ${provider.identifierKey}`);
  // Whatever the claim is called: an address is somebody's own once it is verified.
  if (provider.identifierKey !== 'sub' && identifier === email && !verified) {
    throw refusal('the identity is an e-mail that is not verified');
  }
  const [firstName, lastName] = [textOf(claim('given_name')), textOf(claim('family_name'))];
  return { identifier, email, firstName, lastName };
}

/** Whether the ID token says all that matters, so that the provider need not be asked for more. */
export const isComplete = ({ identifierKey }: Judged, id: Claims): boolean =>
  id['email'] !== undefined && id[identifierKey] !== undefined;

const refusal = (why: string): InvalidCredentials =>
  new InvalidCredentials({}, { cause: new Error(why) });

type InvalidCredentials = InstanceType<typeof InvalidCredentials>;

/** A text that a column takes as it is; a number stands for its digits. */
function textOf(claim: unknown): string | null {
  const text = Number.isSafeInteger(claim) ? String(claim) : claim;
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return null;
  return text.trim() === '' || !isStorableText(text) ? null : text;
}

/** Some providers write it as text. */
const isTrue = (claim: unknown): boolean => claim === true || claim === 'true';
