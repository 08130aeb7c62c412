import type { Caller } from '../../engine';
import type { RouteAccess } from './access.decorators';

/** Whether a caller may use a route or operation at all. */
export function mayCall(
  access: RouteAccess,
  caller: Caller,
  params: Readonly<Record<string, unknown>>,
): boolean {
  switch (access.kind) {
    case 'public':
      return true;
    case 'signed-in':
      return caller.user !== null && !(access.staticToken === 'refused' && hasStaticToken(caller));
    case 'permission':
      if (access.orUser && caller.user !== null) return true;
      return access.collection === '*'
        ? caller.mayAnywhere(access.action)
        : caller.may(access.action, access.collection ?? String(params['collection']));
  }
}

const hasStaticToken = ({ identity }: Caller): boolean => identity.staticToken !== null;
