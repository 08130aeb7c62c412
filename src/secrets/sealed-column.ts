import type { ValueProvider } from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import { provideValue, providedValues } from '../common/provided-values';

/** Where sealed values are stored. Names are those of the database. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The column whose value, as text, each value is bound to: the table's key. */
  readonly boundTo: string;
  readonly purpose: string;
  /** What the operator gives up with a value that no listed secret opens: the value alone (null is stored), or its row. */
  readonly whenLost: 'clear' | 'delete';
}

const KIND = 'doorward:sealed-column';

/** A provider by which a module says where it keeps sealed values, so that they follow when SECRET changes. */
export const provideSealedColumn = (column: SealedColumn): ValueProvider<SealedColumn> =>
  provideValue(KIND, column);

export const sealedColumnsIn = (discovery: DiscoveryService): SealedColumn[] =>
  providedValues<SealedColumn>(discovery, KIND);
