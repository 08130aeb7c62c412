import {
  type BoundFilter,
  type Decision,
  everything,
  filterNodes,
  grantOf,
  nothing,
  memoize,
  rowFilter,
  type Caller,
} from '../../engine';
import type { StoredCollection } from '../registry/stored-collection';
import type { CollectionRegistry } from '../registry/registry';
import type { RowQuery } from '../query/query';
import { compileFilter } from './compile-filter';
import { aboutCell, aboutRows } from './about';
import { withoutPullUp, cellIn, type TableScope, type SqlGrant, type TableView } from './scope';
import { and, or } from './statement';

/** The tables as they are stored: what rules are evaluated on. */
export class RealView implements TableView {
  constructor(readonly registry: CollectionRegistry) {}

  reach(scope: TableScope) {
    return { rows: everything, scope };
  }

  rows(): string {
    return 'TRUE';
  }

  grant(): SqlGrant {
    return true;
  }

  cell(scope: TableScope, field: string): string {
    return cellIn(scope, field);
  }
}

/**
 * A grant with more nodes than this is computed once beside the row; a shorter one is written where it is needed, where
 * it can use an index.
 */
const LONG = 8;
const nodesOf = memoize(filterNodes);

/** The tables as one caller sees them. */
export class VirtualView implements TableView {
  private readonly real: RealView;

  constructor(
    readonly registry: CollectionRegistry,
    private readonly caller: Caller,
  ) {
    this.real = new RealView(registry);
  }

  reach(scope: TableScope) {
    const decision = this.decision(scope.collection);
    const rows = decision ? rowFilter(decision) : nothing;
    return {
      rows: isImplicit(scope.collection) ? everything : rows,
      scope: this.ruleScope(scope),
    };
  }

  rows(scope: TableScope): string {
    const { rows, scope: rules } = this.reach(scope);
    const { about } = scope.collection;
    const allowed = and(compileFilter(rows, rules), this.deletedRows(rules));
    return about && !this.caller.administrator
      ? and(allowed, aboutRows(scope, about, this.caller))
      : allowed;
  }

  /** Deleted rows, where they are requested, are visible to callers who might delete them. */
  private deletedRows(rules: TableScope): string {
    const { deleted, collection } = rules;
    if (deleted === null || collection.deletedAt === undefined) return 'TRUE';
    const cell = cellIn(rules, collection.deletedAt);
    const decision = this.caller.decide('delete', collection.name);
    const reached = decision ? compileFilter(rowFilter(decision), withoutPullUp(rules)) : 'FALSE';
    return deleted === 'only'
      ? and(`${cell} IS NOT NULL`, reached)
      : or(`${cell} IS NULL`, reached);
  }

  cell(scope: TableScope, field: string): string {
    const { about } = scope.collection;
    return about?.parts.includes(field) && !this.caller.administrator
      ? aboutCell(scope, field, about, this.caller)
      : cellIn(scope, field);
  }

  grant(scope: TableScope, field: string): SqlGrant {
    if (isImplicit(scope.collection)) return true;
    const inputs = scope.collection.computed?.get(field)?.from;
    if (!inputs) return this.grantOfOne(scope, field);
    return allOf([field, ...inputs].map((each) => this.grantOfOne(scope, each)));
  }

  private grantOfOne(scope: TableScope, field: string): SqlGrant {
    const decision = this.decision(scope.collection);
    const grant = decision ? grantOf(decision, field) : 'never';
    if (grant === 'always' || grant === 'never') return grant === 'always';
    return this.compileGrant(field, grant, this.ruleScope(scope));
  }

  private compileGrant(field: string, grant: BoundFilter, scope: TableScope): string {
    if (nodesOf(grant) <= LONG) return compileFilter(grant, scope);
    const cases = grant.kind === 'or' ? grant.of : [grant];
    const compile = (filter: BoundFilter): string => compileFilter(filter, withoutPullUp(scope));
    return scope.conditions.grant(field, () =>
      or(...cases.map((each) => scope.conditions.member(each, compile))),
    );
  }

  /** Rules are evaluated on the tables as they are stored. */
  private ruleScope(scope: TableScope): TableScope {
    return { ...scope, view: this.real, position: scope.position.rule };
  }

  private decision(collection: StoredCollection): Decision | undefined {
    return this.caller.decide('read', collection.name);
  }
}

/** The tables that a query reads: the view's, unless the query is for another reader. */
export const viewOf = ({ reader }: Pick<RowQuery, 'reader'>, view: TableView): TableView =>
  reader ? new VirtualView(view.registry, reader) : view;

/** A junction table that no rule can name follows the rules of the lists that lead through it. */
const isImplicit = (collection: StoredCollection): boolean => collection.entity === null;

/** A computed field is granted where it is granted itself and everything that it reads is. */
function allOf(grants: readonly SqlGrant[]): SqlGrant {
  if (grants.includes(false)) return false;
  const conditions = grants.filter((grant) => typeof grant === 'string');
  return conditions.length === 0 ? true : and(...new Set(conditions));
}
