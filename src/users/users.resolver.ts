import {
  type Operation,
  type OperationResolver,
  Resolves,
  type SchemaTypes,
  selectionOf,
} from '../collections';
import { MeService } from './me.service';

@Resolves('system')
export class UsersResolver implements OperationResolver {
  constructor(private readonly me: MeService) {}

  operations(types: SchemaTypes): Operation[] {
    return [
      {
        kind: 'query',
        name: 'users_me',
        access: { kind: 'signed-in' },
        type: types.item('service_users'),
        resolve: async ({ who, info }) =>
          (await this.me.read(who, selectionOf(info)))?.data ?? null,
      },
    ];
  }
}
