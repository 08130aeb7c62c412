import { generateSecret, generateURI, verifySync } from 'otplib';

/** As RFC 4226 recommends: the length of an SHA-1 hash. */
const SECRET_BYTES = 20;
const STEP = 30;
const MILLISECONDS = 1_000;
/** The library throws at anything else. */
const CODE = /^[0-9]{6}$/;

/** What an authenticator app needs. */
export interface NewSecret {
  /** Base32, 32 characters. */
  readonly secret: string;
  /** The same as a URI, to be shown as a QR code. */
  readonly otpauth_url: string;
}

/**
 * @param issuer the project, as the app is to show it
 * @param label whose account it is
 */
export function newSecret(issuer: string, label: string): NewSecret {
  const secret = generateSecret({ length: SECRET_BYTES });
  return { secret, otpauth_url: generateURI({ issuer, label, secret }) };
}

/**
 * RFC 6238 with SHA-1, six digits and steps of 30 s; the steps before and after serve as well, since clocks differ.
 * @param after the step of the latest code that was accepted: neither that one nor an earlier one is accepted again
 * @returns the number of the code's step; nothing for a code that is not accepted
 */
export function acceptedStep(
  secret: string,
  code: string,
  after: number,
  now = Date.now(),
): number | undefined {
  if (!CODE.test(code)) return undefined;
  const epoch = Math.floor(now / MILLISECONDS);
  // Which step is too early is decided here: the library's `afterTimeStep` throws once the clock was set back.
  const found = verifySync({ secret, token: code, epoch, epochTolerance: STEP });
  if (!found.valid || !('timeStep' in found)) return undefined;
  return found.timeStep > after ? found.timeStep : undefined;
}
