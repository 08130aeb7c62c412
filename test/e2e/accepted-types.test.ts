import { Body, Controller, Module, Post } from '@nestjs/common';
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
