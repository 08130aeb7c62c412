import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { keepText, textOf } from '../common/http/ready-answers';
import { Metrics } from '../common/metrics/metrics';
import type { Action, Caller, Cell } from '../engine';
import { type Answer, Collections } from '../collections';
import {
  type PermissionReport,
  reportFields,
  reportPermissions,
  reportPresets,
} from './permission-report';

/**
 * Bytes that the cached reports may use, and how many a report uses for each character of its JSON: at most 21,
 * measured with presets that are lists of empty objects, and 2 for the JSON itself.
 */
const MAX_BYTES = 16_000_000;
const BYTES_PER_CHARACTER = 26;

interface ItemAccess {
  readonly access: boolean;
  readonly presets?: Readonly<Record<string, Cell>>;
  readonly fields?: readonly string[];
}

export type ItemReport = Readonly<Record<'update' | 'delete' | 'share', ItemAccess>>;

/** Tells callers what they may do. */
@Injectable()
export class PermissionsService {
  /** By the decisions that they were made from, so that no report on rules that have changed since is found. */
  private readonly reports = new LRUCache<object, Answer<PermissionReport>>({
    maxSize: MAX_BYTES,
    sizeCalculation: (answer) => BYTES_PER_CHARACTER * textOf(answer).length,
  });

  constructor(
    private readonly collections: Collections,
    metrics: Metrics,
  ) {
    metrics.addCache('permission_reports', this.reports);
  }

  mine(caller: Caller): Answer<PermissionReport> {
    const key = caller.reportKey;
    const known = key && this.reports.get(key);
    if (known) return known;
    const answer = { data: reportPermissions(caller, this.collections.registry.all()) };
    if (!key) return answer;
    keepText(answer);
    this.reports.set(key, answer);
    return answer;
  }

  /**
   * What the caller may do with one item, in the same shape whether or not the collection and the item exist. An
   * administrator may do everything, and nothing is looked up for it.
   * @param id undefined for a singleton's one row
   */
  async item(caller: Caller, collection: string, id: string | undefined): Promise<ItemReport> {
    const [update, drop, share] = await Promise.all([
      this.access(caller, 'update', collection, id),
      this.access(caller, 'delete', collection, id),
      this.access(caller, 'share', collection, id),
    ]);
    return { update, delete: drop, share };
  }

  private async access(
    caller: Caller,
    action: Action,
    collection: string,
    id: string | undefined,
  ): Promise<ItemAccess> {
    const decision = await this.collections.decideOn(caller, action, collection, id);
    const access = caller.administrator || decision !== undefined;
    const isDetailed = action === 'update' && id === undefined && decision?.collection.singleton;
    if (!isDetailed) return { access };
    return { access, presets: reportPresets(decision), fields: reportFields(decision) };
  }
}
