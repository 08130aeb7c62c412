import type { ValueProvider } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { provideValue, providedValues } from '../common/provided-values';

/** A column with sealed values, by its names in the database. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The column whose value, as text, each value is bound to: the table's key. */
  readonly boundTo: string;
  readonly purpose: string;
  /**
   * What becomes of a value that no listed secret opens, if the operator gives it up: `clear` stores null, `delete`
   * deletes the row.
   */
  readonly whenLost: 'clear' | 'delete';
}

const KIND = 'doorward:sealed-column';

/**
 * A provider with which a module declares where it stores sealed values, so that they are sealed anew when SECRET
 * changes.
 */
export const provideSealedColumn = (column: SealedColumn): ValueProvider<SealedColumn> =>
  provideValue(KIND, column);

export const sealedColumnsIn = (discovery: DiscoveryService): SealedColumn[] =>
  providedValues<SealedColumn>(discovery, KIND);
