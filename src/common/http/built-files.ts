import { createReadStream, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RouteNotFound, toEntry } from '../errors';
import { ASSET_HEADERS } from './page-headers';

/** Where a file is on the disk: browsers keep it, so it is read when one asks, and takes no memory until then. */
interface OnDisk {
  readonly path: string;
  /** In bytes. */
  readonly length: number;
}

/** A file that a page loads, as a build left it. */
export interface BuiltFile extends OnDisk {
  /** Absent where packing gains nothing. */
  readonly gzipped: OnDisk | undefined;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** The files of a folder by name, as they are found at the start. No name from a request reaches the disk. */
export function builtFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  const names = readdirSync(folder);
  const files = names.flatMap((name): [string, BuiltFile][] => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const packed = `${name}.gz`;
    const gzipped = names.includes(packed) ? onDisk(join(folder, packed)) : undefined;
    return [[name, { ...onDisk(join(folder, name)), gzipped, type }]];
  });
  return new Map(files);
}

const onDisk = (path: string): OnDisk => ({ path, length: statSync(path).size });

/** Packed, where the client takes it. */
export function sendBuilt(file: BuiltFile, request: Request, response: Response): StreamableFile {
  response.set(ASSET_HEADERS);
  const accepted = request.acceptsEncodings('gzip', 'identity');
  const isPacked = file.gzipped !== undefined && accepted === 'gzip';
  if (isPacked) response.set('Content-Encoding', 'gzip');
  const { path, length } = (isPacked ? file.gzipped : undefined) ?? file;
  return new StreamableFile(createReadStream(path), { type: file.type, length }).setErrorHandler(
    () => answerGone(request, response),
  );
}

/** A build that was made while the service runs may have taken the file away; nobody may keep that answer. */
function answerGone(request: Request, response: Response): void {
  if (response.headersSent) return void response.destroy();
  response.removeHeader('Content-Encoding');
  response.set({ 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' });
  response.status(404).json({ errors: [toEntry(new RouteNotFound({ path: request.path }))] });
}
