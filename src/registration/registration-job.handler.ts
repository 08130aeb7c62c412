import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isClientError } from '../common/errors';
import { Database, type Queries } from '../database';
import { type Job, type JobHandler, Queue } from '../queue';
import { ConfirmationLinks } from './confirmation-links';
import { type NewLink, type NewRegistration, REGISTRATIONS } from './registration-request';
import { type AccountRow, isUnverified } from './account-row';
import { type OpenRegistration, RegistrationSettings } from './registration-settings';
import type { RegistrationRequest } from './registration-request';
import { BY_EMAIL, MARK_REGISTERED, PENDING } from './registration-sql';
import { UserWrites } from './user-writes';
import { lockAddresses, UnconfirmedUsers } from '../users';

/** Of simultaneous registrations for a new address, one creates the user; the others then find it. */
const TRIES = 3;

/** A registration that is accepted. */
type Accepted = NewRegistration & { readonly password: string; readonly url: string };

/** Processes registrations after they have been answered. */
@Injectable()
export class RegistrationJobHandler implements JobHandler, OnModuleInit {
  readonly queue = REGISTRATIONS;
  /** One after the other, so that the cost of a request does not delay others noticeably. */
  readonly slots = 1;

  constructor(
    private readonly database: Database,
    private readonly jobs: Queue,
    private readonly settings: RegistrationSettings,
    private readonly links: ConfirmationLinks,
    private readonly users: UserWrites,
    private readonly unconfirmed: UnconfirmedUsers,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(this);
  }

  async run(job: Job): Promise<void> {
    const request = JSON.parse(job.content) as RegistrationRequest;
    if (request.kind === 'resend') await this.resend(request, job);
    else if (isAcceptable(request)) await this.register(request, job);
  }

  private async resend({ email }: NewLink, job: Job): Promise<void> {
    if (!(await this.settings.admits(email))) return;
    await this.database.transaction(async (tx) => {
      const [user] = await tx.query<AccountRow>(BY_EMAIL, [email]);
      if (user && isUnverified(user)) await this.links.renew(tx, user);
      // Last: it locks the row until the end of the transaction.
      await job.finish(tx);
    });
  }

  private async register(request: Accepted, job: Job): Promise<void> {
    const open = await this.settings.openFor(request);
    if (!open) return;
    for (let tried = 0; tried < TRIES; tried += 1) {
      if (await this.registerKnown(request, open, job)) return;
      if (await this.create(request, open, job)) return;
    }
  }

  /**
   * An unconfirmed user may have several registrations. Without one that can still be confirmed, or where none need be,
   * a user who has registered makes way for one made by today's settings; one whom somebody has created never does.
   * @returns whether a user has the address
   */
  private registerKnown(request: Accepted, open: OpenRegistration, job: Job): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [user] = await tx.query<AccountRow>(BY_EMAIL, [request.email]);
      if (!user) return false;
      if (isUnverified(user)) {
        if (await this.isReplaceable(tx, user, open)) return false;
        // One that is kept is confirmed by a link in any case.
        await this.links.send(tx, user, request);
      }
      await job.finish(tx);
      return true;
    });
  }

  /** The user's row is locked. */
  private async isReplaceable(
    tx: Queries,
    user: AccountRow,
    { verifies }: OpenRegistration,
  ): Promise<boolean> {
    if (verifies && (await tx.query(PENDING, [user.id])).length > 0) return false;
    return this.unconfirmed.isReplaceable(tx, user.id);
  }

  /** In the transaction that makes the new user, so that nobody is deleted where that is refused. */
  private async deleteUnconfirmed(
    tx: Queries,
    { email, actor }: Accepted,
    open: OpenRegistration,
  ): Promise<void> {
    await lockAddresses(tx, [email]);
    const [user] = await tx.query<AccountRow>(BY_EMAIL, [email]);
    if (user && (await this.isReplaceable(tx, user, open))) {
      await this.unconfirmed.deleteByEmail(tx, email, actor);
    }
  }

  /** To the user as stored: a team's hook may have changed the address or status. */
  private async sendFirstLink(tx: Queries, id: string, request: Accepted): Promise<void> {
    const [user] = await tx.query<AccountRow>(MARK_REGISTERED, [id]);
    if (user && isUnverified(user)) await this.links.send(tx, user, request);
  }

  /** @returns false where another request may have been faster */
  private async create(request: Accepted, open: OpenRegistration, job: Job): Promise<boolean> {
    const { email, first_name, last_name } = request;
    const status = open.verifies ? 'unverified' : 'active';
    const payload = { email, first_name, last_name, status, role: open.role };
    const created = async ([id = '']: readonly string[], tx: Queries): Promise<void> => {
      if (open.verifies) await this.sendFirstLink(tx, id, request);
      else await this.links.confirmAtOnce(tx, id, request);
      await job.finish(tx);
    };
    const before = (tx: Queries): Promise<void> => this.deleteUnconfirmed(tx, request, open);
    try {
      await this.users.createAsSystem('registration', payload, { before, created });
      return true;
    } catch (error) {
      // Refused by a constraint or a hook: this is not reported to anyone.
      if (isClientError(error)) return false;
      throw error;
    }
  }
}

const isAcceptable = (request: NewRegistration): request is Accepted =>
  request.password !== null && request.url !== null;
