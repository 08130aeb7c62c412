import * as driver from 'pg';
import type { Connection, FieldDef, QueryResult } from 'pg';
import type { typeParsers } from './type-parsers';

export interface DriverQuery {
  name: string | undefined;
  text: string;
  callback: (error: unknown) => void;
}

export interface DriverConnection extends Pick<Connection, 'stream' | 'sync' | 'query'> {
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { readonly text: string; readonly name: string | undefined }): void;
  bind(values: object): void;
  describe(portal: { readonly type: 'P' }): void;
  execute(portal: object): void;
}

export interface DriverResult extends QueryResult {
  addFields(fields: FieldDef[]): void;
  parseRow(cells: readonly unknown[]): object;
  addCommandComplete(message: object): void;
}

/** What the driver exports, with the parts that its types leave out. */
interface Driver {
  readonly Query: new (text: string, answer: (error: unknown) => void) => DriverQuery;
  readonly Result: new (rowMode: 'array' | undefined, types: typeof typeParsers) => DriverResult;
  readonly utils: { readonly prepareValue: (value: unknown) => unknown };
}

export const { Query, Result, utils } = driver as unknown as Driver;
