import { generateSecret, generateURI, verifySync } from 'otplib';

/** As RFC 4226 recommends: the length of an SHA-1 hash. */
const SECRET_BYTES = 20;
const STEP = 30;
const MILLISECONDS = 1_000;
/** The library throws at anything else. Apps show the digits in groups, as `741 822`. */
const CODE = /^[0-9]{3}[\s-]?[0-9]{3}$/;

/** What an authenticator app needs. */
export interface NewSecret {
  /** Base32, 32 characters. */
  readonly secret: string;
  /** The same as a URI, to be shown as a QR code. */
  readonly otpauth_url: string;
}

/**
 * @param issuer the project's name in the app
 * @param label the account's name in the app
 */
export function newSecret(issuer: string, label: string): NewSecret {
  const secret = generateSecret({ length: SECRET_BYTES });
  // A colon separates the two in the label.
  const named = issuer.replaceAll(':', ' ');
  return { secret, otpauth_url: generateURI({ issuer: named, label, secret }) };
}

/**
 * RFC 6238 with SHA-1, six digits and steps of 30 s; the steps before and after are accepted as well, since clocks
 * differ.
 * @param after the step of the latest accepted code: neither that one nor an earlier one is accepted again
 * @returns the number of the code's step; undefined for a code that is not accepted
 */
export function acceptedStep(
  secret: string,
  code: string,
  after: number,
  now = Date.now(),
): number | undefined {
  if (!CODE.test(code.trim())) return undefined;
  const epoch = Math.floor(now / MILLISECONDS);
  // Checked here and not by the library's `afterTimeStep`, which throws once the clock was set back.
  const token = code.replaceAll(/[^0-9]/g, '');
  const found = verifySync({ secret, token, epoch, epochTolerance: STEP });
  if (!found.valid || !('timeStep' in found)) return undefined;
  return found.timeStep > after ? found.timeStep : undefined;
}
