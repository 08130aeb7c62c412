import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ASSET_HEADERS } from './page-headers';

/** A file that a page loads, as a build left it. */
export interface BuiltFile {
  readonly body: Buffer;
  /** Absent where packing gains nothing. */
  readonly gzipped: Buffer | undefined;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** The files of a folder by name, read once. No name from a request reaches the disk. */
export function readBuilt(folder: string): ReadonlyMap<string, BuiltFile> {
  const names = readdirSync(folder);
  const files = names.flatMap((name): [string, BuiltFile][] => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const gzipped = names.includes(`${name}.gz`)
      ? readFileSync(join(folder, `${name}.gz`))
      : undefined;
    return [[name, { type, body: readFileSync(join(folder, name)), gzipped }]];
  });
  return new Map(files);
}

/** Packed, where the client takes it. */
export function sendBuilt(file: BuiltFile, request: Request, response: Response): StreamableFile {
  response.set(ASSET_HEADERS);
  const accepted = request.acceptsEncodings('gzip', 'identity');
  const isPacked = file.gzipped !== undefined && accepted === 'gzip';
  if (isPacked) response.set('Content-Encoding', 'gzip');
  const body = (isPacked ? file.gzipped : undefined) ?? file.body;
  return new StreamableFile(body, { type: file.type, length: body.length });
}
