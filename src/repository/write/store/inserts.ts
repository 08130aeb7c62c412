import { ValueOutOfRange } from '../../../common/errors';
import type { Queries } from '../../../database/database';
import { aboutItem } from '../about-item';
import type { CollectionWrite } from '../collection-write';
import { ConstraintFault, isTaken } from '../judge/constraint-fault';
import { judgeInserted } from '../judge/judge';
import type { Judged } from '../judge/judged';
import { refuseIncomplete } from '../judge/required-fields';
import { refuseSkipped, refuseUnseen, translateRefusal } from '../judge/translate-refusal';
import type { PlannedRow, RowsPlan } from '../plan/plan';
import { unseenTargets } from '../plan/seen-rows';
import { exceedsMaxKey } from './generated-keys';
import { insertRow } from './insert-row';
import { type RowStore, storedValues } from './row-store';

/** Inserts rows one after the other. */
export class Inserts implements RowStore {
  readonly isWaiting = false;

  constructor(
    private readonly scope: CollectionWrite,
    private readonly plan: RowsPlan,
  ) {}

  add(row: PlannedRow, judged: Judged): Promise<Judged> {
    return aboutItem(judged.item, () => this.insert(row, judged));
  }

  private async insert(row: PlannedRow, judged: Judged): Promise<Judged> {
    const { scope, plan } = this;
    const { values, item } = judged;
    const unseen = plan.unseen ? await unseenTargets(scope, [row.values]) : [];
    const judge = (queries: Queries): Promise<void> =>
      aboutItem(item, () => judgeInserted(scope, queries, values, judged, unseen));
    refuseUnseen(scope, unseen, judge);
    const required = scope.hooks.required?.(scope.caller) ?? [];
    refuseIncomplete(scope, required, (field) => carries(judged, field), judge);
    if (exceedsMaxKey(row, scope.collection, plan.maxNewKey)) throw this.outOfRangeFault(judge);
    const stored = await storedValues(scope, [], values);
    const key = await insertRow(scope, plan, judged, stored, (insert) =>
      this.unlessLinked(() => translateRefusal(scope, judge, insert, stored)),
    );
    return { ...judged, key: key ?? refuseSkipped(judge) };
  }

  /**
   * Another transaction may have made the same link since the list was read. If the request runs again, it finds that
   * row in the list already.
   */
  private async unlessLinked<T>(insert: () => Promise<T>): Promise<T> {
    try {
      return await insert();
    } catch (error) {
      const { parentLocks } = this.scope;
      if (!this.plan.joins || parentLocks.isRepeated || !isTaken(error)) throw error;
      throw parentLocks.giveUp(error);
    }
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  private outOfRangeFault(judge: (queries: Queries) => Promise<void>): ConstraintFault {
    const { name, key } = this.scope.collection;
    const error = new ValueOutOfRange({ collection: name, field: key });
    return new ConstraintFault(() => Promise.resolve(error), judge);
  }
}

/** Whether a row has a value for a field; for a list it is enough that it was sent. */
const carries = ({ values, fields }: Judged, field: string): boolean =>
  values.has(field)
    ? ![null, ''].includes(values.get(field) as string | null)
    : fields.includes(field);
