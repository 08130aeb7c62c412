import { Body, Controller, Module, Post, UploadedFiles } from '@nestjs/common';
import { AcceptsBody } from '../../src/common/http/accepted-bodies';
import { Public } from '../../src/common/request/access.decorators';
import { startTestApp, type TestApp } from '../support';

@Controller('probe')
@Public()
class ProbeController {
  @Post('echo')
  echo(@Body() body: unknown): object {
    return { data: body };
  }

  @Post('form')
  @AcceptsBody('form')
  form(@Body() body: unknown): object {
    return { data: body };
  }

  @Post('files')
  @AcceptsBody('multipart')
  files(@Body() body: object, @UploadedFiles() files: readonly unknown[]): object {
    return { data: { fields: Object.keys(body).length, files: files.length } };
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ imports: [ProbeModule], logger: false, host: 'own' });
});

afterAll(() => test.close());

const JSON_TYPE = 'JSON in UTF-8 (Content-Type: application/json)';

it.each([
  ['echo', JSON_TYPE],
  ['form', `${JSON_TYPE} or application/x-www-form-urlencoded`],
])('the refusal of a body type names the types that the route accepts: %s', async (path, types) => {
  const response = await fetch(`${test.url}/probe/${path}`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
  });
  expect(response.status).toBe(415);
  expect(await response.text()).toContain(`The body must be ${types}.`);
});

const statusOf = async (path: string, body: FormData | URLSearchParams): Promise<number> =>
  (await fetch(`${test.url}/probe/${path}`, { method: 'POST', body })).status;

const names = (count: number): [string, string][] =>
  Array.from({ length: count }, (_, at) => [`n${at}`, 'x']);

/** @param files of the parts, so many are files */
function parts(count: number, files = 0): FormData {
  const form = new FormData();
  for (const [name, value] of names(count - files)) form.append(name, value);
  for (const [name, value] of names(files)) form.append(name, new Blob([value]), `${name}.txt`);
  return form;
}

it('a form may have 1,000 names; a multipart body as many parts, 20 of them files', async () => {
  const sent = [
    await statusOf('form', new URLSearchParams(names(1_000))),
    await statusOf('files', parts(1_000, 20)),
  ];
  expect(sent).toEqual([201, 201]);
  const refused = [
    await statusOf('form', new URLSearchParams(names(1_001))),
    await statusOf('files', parts(1_001)),
    await statusOf('files', parts(21, 21)),
  ];
  expect(refused).toEqual([413, 413, 413]);
});

const PART = 'Content-Disposition: form-data; name=';

it.each([
  ['ends too early', `--x\r\n${PART}"n"\r\n\r\nvalue`, 'Unexpected end of form'],
  ['names no field', `--x\r\n${PART}""\r\n\r\nvalue\r\n--x--\r\n`, 'Field name missing'],
])('a multipart body that %s is an invalid payload', async (_, body, reason) => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const response = await fetch(`${test.url}/probe/files`, { method: 'POST', body, headers });
  const message = `Invalid payload: the form cannot be read: ${reason}.`;
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { errors: [{ message, extensions: { code: 'INVALID_PAYLOAD' } }] },
  ]);
});

it('a multipart body that names no boundary is an invalid payload', async () => {
  const headers = { 'content-type': 'multipart/form-data; charset=utf-8' };
  const response = await fetch(`${test.url}/probe/files`, { method: 'POST', body: 'x', headers });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('"code":"INVALID_PAYLOAD"');
});
