import { type Decision, grantOf, rowFilter, type Who } from '../../access';
import type { Collection } from '../registry/collection';
import type { CollectionRegistry } from '../registry/registry';
import { compileFilter } from './compile-filter';
import type { Statement } from './statement';
import type { SqlGrant, TableView } from './table-view';

/** The tables as they are stored: what rules are evaluated on. */
export class RealView implements TableView {
  constructor(readonly registry: CollectionRegistry) {}

  rows(): string {
    return 'TRUE';
  }

  grant(): SqlGrant {
    return true;
  }
}

/** The tables as one caller sees them. */
export class VirtualView implements TableView {
  private readonly real: RealView;

  constructor(
    readonly registry: CollectionRegistry,
    private readonly who: Who,
  ) {
    this.real = new RealView(registry);
  }

  rows(collection: Collection, alias: string, statement: Statement): string {
    if (isImplicit(collection)) return 'TRUE';
    const decision = this.decision(collection);
    if (!decision) return 'FALSE';
    return compileFilter(rowFilter(decision), { collection, alias, view: this.real, statement });
  }

  grant(collection: Collection, field: string, alias: string, statement: Statement): SqlGrant {
    if (isImplicit(collection)) return true;
    const decision = this.decision(collection);
    const grant = decision ? grantOf(decision, field) : 'never';
    if (grant === 'always' || grant === 'never') return grant === 'always';
    return compileFilter(grant, { collection, alias, view: this.real, statement });
  }

  private decision(collection: Collection): Decision | undefined {
    return this.who.decide(collection.name, 'read');
  }
}

/** A junction table that no rule can name stands under the rules of the lists that lead through it. */
const isImplicit = (collection: Collection): boolean => collection.entity === null;
