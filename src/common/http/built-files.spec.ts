import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Controller, Get, type INestApplication, Param, Req, Res } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Request, Response } from 'express';
import { ErrorsFilter } from '../errors';
import { nextTurn } from '../next-turn';
import { type BuiltFile, builtFiles, sendBuilt } from './built-files';
import { commonHeaders } from './common-headers';

const SCRIPT = 'console.log("a page");'.repeat(5_000);

let asked = 0;
let folder: string;
let files: ReadonlyMap<string, BuiltFile>;
let app: INestApplication<{ address(): AddressInfo }>;

@Controller()
class FilesController {
  @Get(':name')
  file(
    @Param('name') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    asked += 1;
    const file = files.get(name);
    return file && sendBuilt(file, request, response);
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'built-files-'));
  writeFileSync(join(folder, 'page.js'), SCRIPT);
  writeFileSync(join(folder, 'page.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'plain.css'), 'p {}');
  writeFileSync(join(folder, 'gone.js'), SCRIPT);
  writeFileSync(join(folder, 'once.js'), SCRIPT);
  writeFileSync(join(folder, 'notes.txt'), 'No page loads this.');
  files = builtFiles(folder);
  rmSync(join(folder, 'gone.js'));
  const module = await Test.createTestingModule({ controllers: [FilesController] }).compile();
  app = module.createNestApplication();
  app.use(commonHeaders(''));
  app.useGlobalFilters(new ErrorsFilter());
  await app.listen(0, '127.0.0.1');
});

afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const ask = (name: string, encoding: string, method = 'GET') =>
  fetch(`http://127.0.0.1:${app.getHttpServer().address().port}/${name}`, {
    method,
    headers: { 'accept-encoding': encoding },
  });

it.each([
  ['page.js', 'gzip', 'gzip', SCRIPT],
  ['page.js', 'identity', null, SCRIPT],
  ['plain.css', 'gzip', null, 'p {}'],
])(
  '%s is sent to a client that accepts %s, and may be cached',
  async (name, accepts, encoding, text) => {
    const answer = await ask(name, accepts);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(await answer.text()).toBe(text);
  },
);

it('HEAD reports the length of what GET would send', async () => {
  const answer = await ask('page.js', 'identity', 'HEAD');
  expect(answer.headers.get('content-length')).toBe(String(SCRIPT.length));
});

it('A file is opened once, however many clients request it without reading the answer', async () => {
  const requests = 500;
  const before = asked;
  const client = connect(app.getHttpServer().address().port, '127.0.0.1').pause();
  await once(client, 'connect');
  client.write('GET /once.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests));
  while (asked < before + requests) await nextTurn();
  rmSync(join(folder, 'once.js'));
  const answer = await ask('once.js', 'identity');
  client.destroy();
  expect([answer.status, await answer.text()]).toEqual([200, SCRIPT]);
});

it('Only files that pages load are served', () => {
  expect([...files.keys()].toSorted()).toEqual(['gone.js', 'once.js', 'page.js', 'plain.css']);
});

it('A file that no longer exists is 404, which must not be cached', async () => {
  const answer = await ask('gone.js', 'gzip');
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.json()).toMatchObject({
    errors: [{ extensions: { code: 'ROUTE_NOT_FOUND' } }],
  });
});
