import { Injectable } from '@nestjs/common';
import { type Answer, Collections, CollectionService } from '../collections';
import { type Caller, parseRule, type Rule } from '../engine';
import type { RawQuery, AnswerBudget } from '../repository';

type Reply = Promise<Answer | undefined>;

const OWN = { user_created: { _eq: '$CURRENT_USER' } };

/** What every signed-in user may do with comments of their own, whatever the rules say. */
const AUTHOR_RULES = [
  { action: 'read', permissions: OWN, fields: ['*'] },
  { action: 'update', permissions: OWN, fields: ['comment'] },
  { action: 'delete', permissions: OWN, fields: [] },
  {
    action: 'create',
    permissions: OWN,
    fields: ['collection', 'item', 'comment'],
    presets: { user_created: '$CURRENT_USER' },
  },
];

/**
 * Comments are items with an exception to the rules: every signed-in user may read, update and delete their own, and
 * create them where they may comment. No rule says so, and no report shows it.
 */
@Injectable()
export class CommentsService extends CollectionService {
  private authorRules: readonly Rule[] | undefined;

  constructor(private readonly collections: Collections) {
    super(collections.repository('service_comments'));
    collections.declareExtraRights('service_comments', (caller) => this.asAuthor(caller));
  }

  override list(caller: Caller, query: RawQuery, budget?: AnswerBudget): Promise<Answer> {
    return super.list(this.asAuthor(caller), query, budget);
  }

  override one(caller: Caller, id: string, query: RawQuery, budget?: AnswerBudget): Reply {
    return super.one(this.asAuthor(caller), id, query, budget);
  }

  override create(caller: Caller, body: unknown, query: RawQuery): Reply {
    return super.create(this.asAuthor(caller), body, query);
  }

  override updateMany(caller: Caller, body: unknown, query: RawQuery): Reply {
    return super.updateMany(this.asAuthor(caller), body, query);
  }

  override updateOne(caller: Caller, id: string, body: unknown, query: RawQuery): Reply {
    return super.updateOne(this.asAuthor(caller), id, body, query);
  }

  override deleteMany(caller: Caller, body: unknown): Promise<void> {
    return super.deleteMany(this.asAuthor(caller), body);
  }

  override deleteOne(caller: Caller, id: string): Promise<void> {
    return super.deleteOne(this.asAuthor(caller), id);
  }

  /** Until they have set up a required two-factor sign-in, callers are refused this too. */
  private asAuthor(caller: Caller): Caller {
    if (caller.user === null || caller.administrator || caller.needsTfa) return caller;
    // A static token has the rights of its policies alone.
    if (caller.identity.staticToken !== null) return caller;
    this.authorRules ??= AUTHOR_RULES.map((rule) =>
      parseRule(
        { id: 0, policy: '', collection: 'service_comments', validation: {}, presets: {}, ...rule },
        this.collections.registry,
      ),
    );
    return this.authorRules.reduce((extended, rule) => extended.withRule(rule), caller);
  }
}
