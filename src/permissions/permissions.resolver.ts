import { JsonScalar, type Operation, type OperationResolver, Resolves } from '../collections';
import { PermissionsService } from './permissions.service';

/** The report of one's own permissions. What one may do with one item has no twin here. */
@Resolves('system')
export class PermissionsResolver implements OperationResolver {
  constructor(private readonly permissions: PermissionsService) {}

  operations(): Operation[] {
    return [
      {
        kind: 'query',
        name: 'permissions_me',
        access: { kind: 'signed-in' },
        type: JsonScalar,
        resolve: ({ who }) => this.permissions.mine(who),
      },
    ];
  }
}
