import type { Who } from '../../engine';
import type { RouteAccess } from './access.decorators';

/** Whether a route or operation is for this caller at all. */
export function admits(
  access: RouteAccess,
  who: Who,
  params: Readonly<Record<string, unknown>>,
): boolean {
  switch (access.kind) {
    case 'public':
      return true;
    case 'signed-in':
      return who.user !== null;
    case 'permission':
      return access.collection === '*'
        ? who.mayAnywhere(access.action)
        : who.may(access.action, access.collection ?? String(params['collection']));
  }
}
