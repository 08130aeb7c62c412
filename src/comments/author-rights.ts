import { Injectable } from '@nestjs/common';
import { Collections } from '../collections';
import { type BuiltInRule, builtInRule, type Caller, type Rule } from '../engine';

const COLLECTION = 'service_comments';
const OWN = { user_created: { _eq: '$CURRENT_USER' } };

/** What every signed-in user may do with comments of their own, whatever the rules say. */
const AUTHOR_RULES: readonly BuiltInRule[] = [
  { action: 'read', collection: COLLECTION, permissions: OWN, fields: ['*'] },
  { action: 'update', collection: COLLECTION, permissions: OWN, fields: ['comment'] },
  { action: 'delete', collection: COLLECTION, permissions: OWN, fields: [] },
  {
    action: 'create',
    collection: COLLECTION,
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
export class AuthorRights {
  private rules: readonly Rule[] | undefined;

  constructor(private readonly collections: Collections) {
    collections.declareExtraRights(COLLECTION, (caller) => this.addTo(caller));
  }

  /** Until they have set up a required two-factor sign-in, callers are refused this too. */
  private addTo(caller: Caller): Caller {
    if (caller.user === null || caller.administrator || caller.needsTfa) return caller;
    // A static token has the rights of its policies alone.
    if (caller.identity.staticToken !== null) return caller;
    this.rules ??= AUTHOR_RULES.map((rule) => builtInRule(rule, this.collections.registry));
    return this.rules.reduce((extended, rule) => extended.withRule(rule), caller);
  }
}
