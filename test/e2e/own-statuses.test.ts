import { Controller, Get, HttpCode, Module, Param, Query, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { Public } from 'doorward';
import { as, startTestApp, type TestApp, type TestClient } from '../support';

/** Routes of a team that set the status of their answers. */
@Controller('probe')
@Public()
class ProbeController {
  /** As a route that passes on what another service answered. */
  @Get('odd')
  odd(
    @Res({ passthrough: true }) response: ExpressResponse,
    @Query('status') status: string,
  ): object {
    if (status === '') response.statusMessage = 'Nicht gefunden \u2713';
    else response.statusCode = Number(status);
    return { data: 'odd' };
  }

  @Get('empty/:status')
  empty(
    @Res({ passthrough: true }) response: ExpressResponse,
    @Param('status') status: string,
  ): void {
    response.status(Number(status));
  }

  @Get('nothing')
  @HttpCode(204)
  nothing(): object {
    return { data: 'dropped' };
  }

  @Get('null')
  null(): null {
    return null;
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

let app: TestApp;
let nobody: TestClient;

beforeAll(async () => {
  app = await startTestApp({ imports: [ProbeModule], logger: false, host: 'own' });
  nobody = as(app);
});

afterAll(() => app.close());

describe("an answer of a team's route", () => {
  it.each([
    [200, 204],
    [202, 204],
    [205, 205],
    [410, 410],
    [502, 502],
  ])('without a body has status 204 or the error that it has set: %d', async (set, sent) => {
    const { status, text } = await nobody.get(`/probe/empty/${set}`);
    expect([status, text]).toEqual([sent, '']);
  });

  it('is 204 where it is null', async () => {
    expect((await nobody.get('/probe/null')).status).toBe(204);
  });

  it('of status 204 has neither a body nor a length, although the route returns something', async () => {
    const { status, text, headers } = await nobody.get('/probe/nothing');
    expect([status, text, headers.get('content-length')]).toEqual([204, '', null]);
  });

  it.each(['99', '1000', ''])(
    'is 500 where its status or reason phrase cannot be sent, and no other answer is affected: %s',
    async (set) => {
      const [odd, other] = await Promise.all([
        nobody.get(`/probe/odd?status=${set}`),
        nobody.get('/server/ping'),
      ]);
      expect([odd.status, odd.codes]).toEqual([500, ['INTERNAL_SERVER_ERROR']]);
      expect(other.status).toBe(200);
    },
  );
});
