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
 */
export function transformerFault(entity: EntityClass): string | undefined {
  const chain = classesOf(entity);
  for (const store of loadedStores()) {
    for (const [name, decorator, instead] of DECORATORS) {
      const declared = chain.map((each) => store[name]?.get(each)).find((each) => each?.size);
      if (!declared) continue;
      const [property] = declared.keys();
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
