import { Injectable } from '@nestjs/common';
import { type Answer, Collections } from '../../collections';
import { InvalidCredentials, InvalidOtp, isClientError } from '../../common/errors';
import type { AuthProviderConfig } from '../../config/auth-providers';
import { Database } from '../../database';
import { isTfaEnforced } from '../../rules';
import type { ProviderIdentity } from './provider-identity';

interface UserRow {
  readonly id: string;
  readonly status: string;
}

const FIND =
  'SELECT id, status FROM service_users WHERE provider = $1 AND external_identifier = $2';

/** Our users that belong to identities of providers. */
@Injectable()
export class ProviderUsers {
  constructor(
    private readonly database: Database,
    private readonly collections: Collections,
  ) {}

  /**
   * The active user that belongs to the identity; created now, if the provider's registration is open. Claims never
   * change an existing user, and an address never leads to another person's user.
   * @throws InvalidCredentials; InvalidOtp where they need a second factor that this provider does not count for
   */
  async userOf(provider: AuthProviderConfig, identity: ProviderIdentity): Promise<string> {
    const user = await this.findOrRegister(provider, identity);
    if (!provider.satisfiesTfa && (await isTfaEnforced(this.database, user, new Date()))) {
      throw new InvalidOtp({}, { cause: new Error('a policy asks for a second factor') });
    }
    return user;
  }

  private async findOrRegister(
    provider: AuthProviderConfig,
    identity: ProviderIdentity,
  ): Promise<string> {
    const found = await this.find(provider, identity);
    if (found) return active(found);
    if (!provider.allowPublicRegistration) throw refusal('they have no user, and none is made');
    try {
      return await this.register(provider, identity);
    } catch (error) {
      if (!isClientError(error)) throw error;
      // At two simultaneous first sign-ins, the other one created the user.
      const made = await this.find(provider, identity);
      if (made) return active(made);
      throw refusal(`a user cannot be made: ${error.message}`, error);
    }
  }

  private async find(
    { name }: AuthProviderConfig,
    identity: ProviderIdentity,
  ): Promise<UserRow | undefined> {
    const [row] = await this.database.query<UserRow>(FIND, [name, identity.identifier]);
    return row;
  }

  private async register(
    provider: AuthProviderConfig,
    identity: ProviderIdentity,
  ): Promise<string> {
    const caller = this.collections.asSystem(`first sign-in by ${provider.name}`);
    const user = {
      ...{ provider: provider.name, external_identifier: identity.identifier },
      ...{ email: identity.email, first_name: identity.firstName, last_name: identity.lastName },
      ...{ status: 'active', role: provider.defaultRoleId },
    };
    const users = this.collections.service('service_users');
    const answer = await users.create(caller, user, { fields: 'id' });
    return String((answer as Answer<{ id: string }>).data.id);
  }
}

function active({ id, status }: UserRow): string {
  if (status === 'active') return id;
  throw refusal(`their user is ${status}`);
}

const refusal = (why: string, cause?: unknown): Error =>
  new InvalidCredentials({}, { cause: new Error(why, { cause }) });
