import type { Described } from './described';

/** In the shape that clients of this kind of API read; null for features that the service lacks. */
export interface CollectionDescription {
  readonly collection: string;
  /** The field that items are addressed by. */
  readonly key: string;
  readonly meta: {
    readonly collection: string;
    readonly singleton: boolean;
    readonly hidden: false;
    readonly versioning: false;
    readonly icon: null;
    readonly note: null;
    readonly display_template: null;
    readonly translations: null;
    readonly archive_field: null;
    readonly sort_field: null;
    readonly group: null;
  };
  /** Collections are tables; the name is the collection's. */
  readonly schema: { readonly name: string; readonly comment: null };
}

export const describeCollection = ({
  collection: { name, key, singleton },
}: Described): CollectionDescription => ({
  collection: name,
  key,
  meta: {
    collection: name,
    singleton,
    hidden: false,
    versioning: false,
    icon: null,
    note: null,
    display_template: null,
    translations: null,
    archive_field: null,
    sort_field: null,
    group: null,
  },
  schema: { name, comment: null },
});
