import { Injectable } from '@nestjs/common';
import { actorOf } from '../../activity';
import { Collections } from '../../collections';
import { InvalidCredentials, InvalidOtp, isClientError } from '../../common/errors';
import type { AuthProviderConfig } from '../../config/auth-providers';
import { Database } from '../../database';
import { isTfaEnforced } from '../../rules';
import { lockAddresses, UnconfirmedUsers } from '../../users';
import type { ProviderIdentity } from './provider-identity';

interface UserRow {
  readonly id: string;
  readonly status: string;
}

const FIND =
  'SELECT id, status FROM service_users WHERE provider = $1 AND external_identifier = $2';

const OWN_FACTOR = 'SELECT FROM service_users WHERE id = $1::uuid AND tfa_secret IS NOT NULL';

/** Our users that belong to identities of providers. */
@Injectable()
export class ProviderUsers {
  constructor(
    private readonly database: Database,
    private readonly collections: Collections,
    private readonly unconfirmed: UnconfirmedUsers,
  ) {}

  /**
   * The active user that belongs to the identity; created now, if the provider's registration is open. Claims never
   * change an existing user, and an address never leads to another person's user.
   * @throws InvalidCredentials; InvalidOtp where the user needs a second factor that this provider does not count for
   */
  async userOf(provider: AuthProviderConfig, identity: ProviderIdentity): Promise<string> {
    const user = await this.findOrRegister(provider, identity);
    if (!provider.satisfiesTfa && (await this.needsSecondFactor(user))) {
      throw new InvalidOtp({}, { cause: new Error('the user needs a second factor') });
    }
    return user;
  }

  /** Their own, or one that a policy asks for. */
  private async needsSecondFactor(user: string): Promise<boolean> {
    const own = await this.database.query(OWN_FACTOR, [user]);
    return own.length > 0 || isTfaEnforced(this.database, user, new Date());
  }

  private async findOrRegister(
    provider: AuthProviderConfig,
    identity: ProviderIdentity,
  ): Promise<string> {
    const found = await this.find(provider, identity);
    if (found) return active(found);
    if (!provider.allowPublicRegistration)
      throw refusal('the identity has no user, and registration is not open');
    try {
      return await this.register(provider, identity);
    } catch (error) {
      if (!isClientError(error)) throw error;
      // At two simultaneous first sign-ins, the other one created the user.
      const other = await this.find(provider, identity);
      if (other) return active(other);
      throw refusal(`a user cannot be created: ${error.message}`, error);
    }
  }

  /** The id of the user that belongs to the identity, of any status. */
  async idOf(
    provider: AuthProviderConfig,
    identity: ProviderIdentity,
  ): Promise<string | undefined> {
    return (await this.find(provider, identity))?.id;
  }

  private async find(
    { name }: AuthProviderConfig,
    identity: ProviderIdentity,
  ): Promise<UserRow | undefined> {
    const [row] = await this.database.query<UserRow>(FIND, [name, identity.identifier]);
    return row;
  }

  /** An unconfirmed registration of an address is deleted where the provider has verified who owns the address. */
  private register(provider: AuthProviderConfig, identity: ProviderIdentity): Promise<string> {
    const caller = this.collections.asSystem(`first sign-in by ${provider.name}`);
    const user = {
      provider: provider.name,
      external_identifier: identity.identifier,
      email: identity.email,
      first_name: identity.firstName,
      last_name: identity.lastName,
      status: 'active',
      role: provider.defaultRoleId,
    };
    return this.collections.transaction(caller, async ({ write, tx }) => {
      if (identity.verified) {
        await lockAddresses(tx, [identity.email]);
        await this.unconfirmed.deleteByEmail(tx, identity.email, actorOf(caller));
      }
      const [id] = await write.create('service_users', [user]);
      return String(id);
    });
  }
}

function active({ id, status }: UserRow): string {
  if (status === 'active') return id;
  throw refusal(`the user is ${status}`);
}

const refusal = (why: string, cause?: unknown): Error =>
  new InvalidCredentials({}, { cause: new Error(why, { cause }) });
