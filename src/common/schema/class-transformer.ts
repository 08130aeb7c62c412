import { join, sep } from 'node:path';
import { classesOf } from './extension';
import type { EntityClass } from './field-declaration';

type Declared = ReadonlyMap<unknown, ReadonlyMap<string | undefined, unknown>>;
type Store = Readonly<Record<string, Declared | undefined>>;
type Loaded = { readonly defaultMetadataStorage?: Store };

/** Where each decorator is stored, and what to use instead. */
const DECORATORS: readonly (readonly [store: string, decorator: string, instead: string])[] = [
  [
    '_excludeMetadatas',
    '@Exclude',
    'a property without a decorator of Field is not exposed, and { concealed: true } hides a secret',
  ],
  ['_exposeMetadatas', '@Expose', 'use a decorator of Field; { column } names its column'],
  ['_transformMetadatas', '@Transform', 'use a hook (toStored), or a computed field'],
  ['_typeMetadatas', '@Type', 'remove it, since Field declares the type'],
];

const STORAGE = join(sep, 'class-transformer', 'cjs', 'storage.js');

/**
 * Reports class-transformer decorators on an entity, which have no effect on answers. Undefined where the package is
 * not loaded.
 * @param isChecked whether a property's decorators are reported; those of the class always are
 */
export function transformerFault(
  entity: EntityClass,
  isChecked: (property: string) => boolean,
): string | undefined {
  const chain = classesOf(entity);
  for (const store of loadedStores()) {
    for (const [name, decorator, instead] of DECORATORS) {
      const declared = chain.flatMap((each) => [...(store[name]?.get(each)?.keys() ?? [])]);
      const at = declared.findIndex((each) => each === undefined || isChecked(each));
      if (at === -1) continue;
      const property = declared[at];
      const place = property === undefined ? '' : `.${property}`;
      return `${place} has ${decorator} of class-transformer, which has no effect here: ${instead}.`;
    }
  }
  return undefined;
}

/** It is not a dependency of ours: a team that uses it has loaded it, possibly from a folder that we cannot resolve. */
const loadedStores = (): Store[] =>
  Object.keys(require.cache)
    .filter((path) => path.endsWith(STORAGE))
    .flatMap((path) => {
      const loaded = require.cache[path]?.exports as Loaded | undefined;
      return loaded?.defaultMetadataStorage ? [loaded.defaultMetadataStorage] : [];
    });
