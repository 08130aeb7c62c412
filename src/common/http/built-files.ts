import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RouteNotFound } from '../errors';
import { ASSET_HEADERS } from './page-headers';

/** A file on disk. Simultaneous requests share one copy, so that each does not open it again. */
class CachedFile {
  private content: Buffer | undefined;

  constructor(private readonly path: string) {}

  /** Read on first use: unused files take no memory. @throws the file system's error */
  read(): Buffer {
    return (this.content ??= readFileSync(this.path));
  }
}

/** A file that a page loads, from the build. */
export interface BuiltFile {
  readonly plain: CachedFile;
  /** Absent where compression saves nothing. */
  readonly gzipped: CachedFile | undefined;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** The files of a folder by name, listed at the start. No name from a request reaches the disk. */
export function builtFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  const names = readdirSync(folder);
  const files = names.flatMap((name): [string, BuiltFile][] => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const packed = `${name}.gz`;
    const gzipped = names.includes(packed) ? new CachedFile(join(folder, packed)) : undefined;
    return [[name, { plain: new CachedFile(join(folder, name)), gzipped, type }]];
  });
  return new Map(files);
}

/**
 * Compressed, where the client accepts it.
 * @throws RouteNotFound where a build has removed it since the start
 */
export function sendBuilt(file: BuiltFile, request: Request, response: Response): StreamableFile {
  const accepted = request.acceptsEncodings('gzip', 'identity');
  const packed = accepted === 'gzip' ? file.gzipped : undefined;
  const body = contentOf(packed ?? file.plain, request);
  response.set(ASSET_HEADERS);
  if (packed) response.set('Content-Encoding', 'gzip');
  return new StreamableFile(body, { type: file.type, length: body.length });
}

function contentOf(file: CachedFile, request: Request): Buffer {
  try {
    return file.read();
  } catch (error) {
    throw new RouteNotFound({ path: request.path }, { cause: error });
  }
}
