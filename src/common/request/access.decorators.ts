import 'reflect-metadata';
import type { Action } from '../../engine';
import { RegistrationError } from '../schema';
import type { StaleToken } from './authenticator';

/** Metadata key for a route's access. A route without it is refused. */
export const ROUTE_ACCESS = 'doorward:route-access';

export type RouteAccess =
  | { kind: 'public'; staleToken: StaleToken }
  | ({ kind: 'signed-in'; withoutTfa?: true } & SignedInOptions)
  | {
      kind: 'permission';
      action: Action;
      collection: string | undefined;
      orUser?: true;
    };

/** @throws RegistrationError beside another: the upper one alone would count, and the lower one only seem to protect */
const access =
  (value: RouteAccess): MethodDecorator & ClassDecorator =>
  (target: object, name?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const declared = (descriptor?.value ?? target) as object;
    const known = Reflect.getOwnMetadata(ROUTE_ACCESS, declared) as RouteAccess | undefined;
    if (known !== undefined) {
      const owner = typeof target === 'function' ? target.name : target.constructor.name;
      const place = name === undefined ? owner : `${owner}.${String(name)}`;
      throw new RegistrationError(
        `${place} has both ${writtenAccess(value)} and ${writtenAccess(known)}, of which only one would count: keep one, and write a guard for what it does not say.`,
      );
    }
    Reflect.defineMetadata(ROUTE_ACCESS, value, declared);
  };

interface PublicOptions {
  /**
   * How a bad or expired token is treated. `ignored`: its sender counts as not signed in. `refused`: with an error; for
   * routes whose answer depends on the caller.
   */
  readonly staleToken?: StaleToken;
}

/** Opens a route or GraphQL operation to everyone, signed in or not. */
export const Public = ({ staleToken = 'ignored' }: PublicOptions = {}): MethodDecorator &
  ClassDecorator => access({ kind: 'public', staleToken });

interface SignedInOptions {
  /** A caller who is not signed in gets 401 and not 403. */
  readonly asksToSignIn?: true;
  /**
   * Callers with a static token are refused: for operations that create, end or change an account or its credentials.
   */
  readonly staticToken?: 'refused';
}

/**
 * Opens a route or GraphQL operation to every signed-in user. Others get Forbidden (403); a bad or expired token is
 * refused as such (401).
 */
export const SignedIn = (options: SignedInOptions = {}): MethodDecorator & ClassDecorator =>
  access({ kind: 'signed-in', ...options });

/** The same, also for users who may do nothing else until they have set up two-factor authentication. */
export const SignedInWithoutTfa = (
  options: SignedInOptions = {},
): MethodDecorator & ClassDecorator => access({ kind: 'signed-in', withoutTfa: true, ...options });

/**
 * Opens a route or GraphQL operation to callers with at least one rule for this action on the collection; others get
 * Forbidden. It does not check rows or fields: the collection's service or repository does.
 *
 *     @RequirePermission('update', 'invoices')
 *
 * @param collection without it, the one that the route's parameter `collection` names; `*`: any
 */
export const RequirePermission = (
  action: Action,
  collection?: string,
): MethodDecorator & ClassDecorator => access({ kind: 'permission', action, collection });

/** Also lets in anyone who is signed in: the route's service makes an exception to the rules for them. */
export const RequirePermissionOrUser: typeof RequirePermission = (action, collection) =>
  access({ kind: 'permission', action, collection, orUser: true });

/** The decorator as source text: `@RequirePermission('update', 'invoices')`. */
export function writtenAccess(access: RouteAccess): string {
  switch (access.kind) {
    case 'public':
      return access.staleToken === 'refused' ? "@Public({ staleToken: 'refused' })" : '@Public()';
    case 'signed-in': {
      const { asksToSignIn, staticToken } = access;
      const options = [
        ...(asksToSignIn ? ['asksToSignIn: true'] : []),
        ...(staticToken ? [`staticToken: '${staticToken}'`] : []),
      ];
      const given = options.length === 0 ? '' : `{ ${options.join(', ')} }`;
      return `${access.withoutTfa ? '@SignedInWithoutTfa' : '@SignedIn'}(${given})`;
    }
    case 'permission': {
      const named = access.collection === undefined ? '' : `, '${access.collection}'`;
      const name = access.orUser ? 'RequirePermissionOrUser' : 'RequirePermission';
      return `@${name}('${access.action}'${named})`;
    }
  }
}
