import { readAccess, type ReadAccess } from './read-access';
import type { Keys } from './reference-faults';
import { YamlDocument } from './yaml-document';

/** The version of the format. A file with another version is refused, since it may mean something else. */
export const VERSION = 1;

/**
 * Reads a file of roles, policies and rules.
 * @param managed what modules provide: the file may refer to it, but not define it
 * @throws FileFault that names every fault with its line
 */
export const readAccessFile = (bytes: Uint8Array, managed?: Keys): ReadAccess =>
  readAccess(YamlDocument.parse(bytes), {
    extraMembers: ['version'],
    check(reader, { version }) {
      if (version !== VERSION) reader.fault(['version'], `must say "version: ${VERSION}"`);
    },
    ...(managed && { external: managed }),
  });
