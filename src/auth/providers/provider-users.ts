import { Injectable } from '@nestjs/common';
import { actorOf } from '../../activity';
import { Collections } from '../../collections';
import { InvalidCredentials, InvalidOtp, isClientError } from '../../common/errors';
import type { AuthProviderConfig } from '../../config/auth-providers';
import { Database } from '../../database';
import { isTfaEnforced } from '../../rules';
import { lockAddresses, lowercaseEmail, UnconfirmedUsers } from '../../users';
import type { ExternalAccount } from '../sessions/sessions';
import type { ProviderIdentity } from './provider-identity';

interface UserRow {
  readonly id: string;
  readonly status: string;
  readonly external_identifier: string;
}

const OF_PROVIDER = 'SELECT id, status, external_identifier FROM service_users WHERE provider = $1';
const FIND = `${OF_PROVIDER} AND external_identifier = $2`;
/** Administrators may have written it in capitals. Two are read to see whether it is clear who is meant. */
const FIND_ADDRESS = `
  ${OF_PROVIDER} AND ${lowercaseEmail('external_identifier')} = ${lowercaseEmail('$2::text')} LIMIT 2`;

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
  async userOf(provider: AuthProviderConfig, identity: ProviderIdentity): Promise<ExternalAccount> {
    const { id, external_identifier: identifier } = await this.findOrRegister(provider, identity);
    if (!provider.satisfiesTfa && (await this.needsSecondFactor(id))) {
      throw new InvalidOtp({}, { cause: new Error('the user needs a second factor') });
    }
    return { user: id, provider: provider.name, identifier };
  }

  /** Their own, or one that a policy asks for. */
  private async needsSecondFactor(user: string): Promise<boolean> {
    const factors = await this.database.query(OWN_FACTOR, [user]);
    return factors.length > 0 || isTfaEnforced(this.database, user, new Date());
  }

  private async findOrRegister(
    provider: AuthProviderConfig,
    identity: ProviderIdentity,
  ): Promise<Omit<UserRow, 'status'>> {
    const user = await this.find(provider, identity);
    if (user) return active(user);
    if (!provider.allowPublicRegistration)
      throw refusal('the identity has no user, and registration is not open');
    try {
      const id = await this.register(provider, identity);
      return { id, external_identifier: identity.identifier };
    } catch (error) {
      if (!isClientError(error)) throw error;
      // At two simultaneous first sign-ins, the other one created the user.
      const other = await this.find(provider, identity);
      if (other) return active(other);
      throw refusal(`a user cannot be created: ${error.message}`, error);
    }
  }

  /** The id of the one user that belongs to the identity, of any status. */
  async idOf(
    provider: AuthProviderConfig,
    identity: ProviderIdentity,
  ): Promise<string | undefined> {
    const [found, another] = await this.alike(provider, identity);
    return another ? undefined : found?.id;
  }

  /** @throws InvalidCredentials where several are spelled alike, and none exactly so */
  private async find(
    provider: AuthProviderConfig,
    identity: ProviderIdentity,
  ): Promise<UserRow | undefined> {
    const [found, another] = await this.alike(provider, identity);
    if (another) throw refusal('several users have this address, in different letter case');
    return found;
  }

  private async alike(
    { name }: AuthProviderConfig,
    { identifier, isAddress }: ProviderIdentity,
  ): Promise<UserRow[]> {
    const exact = await this.database.query<UserRow>(FIND, [name, identifier]);
    if (exact.length > 0 || !isAddress) return exact;
    return this.database.query<UserRow>(FIND_ADDRESS, [name, identifier]);
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

function active(user: UserRow): UserRow {
  if (user.status === 'active') return user;
  throw refusal(`the user is ${user.status}`);
}

const refusal = (why: string, cause?: unknown): Error =>
  new InvalidCredentials({}, { cause: new Error(why, { cause }) });
