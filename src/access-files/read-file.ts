import { readAccess, type ReadAccess } from './read-access';
import type { Keys } from './reference-faults';
import { YamlDocument } from './yaml-document';

/** Another one changes what a file means; whoever reads a later one must not guess. */
export const VERSION = 1;

/**
 * Reads a file of roles, policies and rules.
 * @param managed what comes with modules: a file may name it, and does not say what it is
 * @throws FileFault that names every fault with its line
 */
export const readAccessFile = (bytes: Uint8Array, managed?: Keys): ReadAccess =>
  readAccess(YamlDocument.parse(bytes), {
    head: ['version'],
    check(reader, { version }) {
      if (version !== VERSION) reader.fault(['version'], `must say "version: ${VERSION}"`);
    },
    ...(managed && { outside: managed }),
  });
