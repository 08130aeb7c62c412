import { Controller, Get, Module, RequestMethod, Version, VersioningType } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { Describe, Public } from 'doorward';
import { as, startTestApp, type TestApp } from '../../support';

@Controller('mirror')
class MirrorController {
  @Get()
  @Version('1')
  @Public()
  @Describe('The first')
  first(): object {
    return { data: 1 };
  }

  @Get()
  @Version('2')
  @Public()
  @Describe('The second')
  second(): object {
    return { data: 2 };
  }
}

@Controller('alive')
class AliveController {
  @Get()
  @Public()
  @Describe('Whether it lives')
  alive(): object {
    return { data: 'yes' };
  }
}

interface Document {
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { summary: string; operationId: string }>>>
  >;
}

/** An application that sets itself up like this. */
async function starting(setUp: (application: ApplicationConfig) => void): Promise<TestApp> {
  @Module({ controllers: [MirrorController, AliveController] })
  class MirrorModule {
    constructor(application: ApplicationConfig) {
      setUp(application);
    }
  }
  return startTestApp({ host: 'stock', logger: false, imports: [MirrorModule] });
}

type Case = [string, (application: ApplicationConfig) => void, document: string, server: string];

describe('every path of the OpenAPI document is where its server has it', () => {
  const exclude = [
    { path: '/alive', requestMethod: RequestMethod.GET, pathRegex: /^\/alive\/?$/ },
  ] as never;
  const versions = { type: VersioningType.URI, defaultVersion: '1' } as const;

  it.each<Case>([
    ['without a prefix', () => {}, '', '/'],
    ['under a prefix', (app) => app.setGlobalPrefix('api'), '/api', '/api/'],
    [
      'under a prefix with an exception',
      (app) => {
        app.setGlobalPrefix('api');
        app.setGlobalPrefixOptions({ exclude });
      },
      '/api',
      '/',
    ],
    [
      'in versions, of which GraphQL has none',
      (app) => {
        app.setGlobalPrefix('api');
        app.enableVersioning(versions);
      },
      '/api/v1',
      '/api/',
    ],
  ])('%s', async (_, setUp, root, server) => {
    const app = await starting(setUp);
    try {
      const address = new URL(`${app.url}${root}/server/specs/oas`);
      const document = (await (await fetch(address)).json()) as Document;
      const base = new URL(`${document.servers[0].url}/`, address);
      expect(base.pathname).toBe(server);
      const ids: string[] = [];
      for (const [path, { get }] of Object.entries(document.paths)) {
        if (!get || path.includes('{')) continue;
        ids.push(get.operationId);
        const { status, codes } = await as(app).get(base.pathname.slice(0, -1) + path);
        expect([path, status === 404, codes.includes('ROUTE_NOT_FOUND')]).toEqual([
          path,
          false,
          false,
        ]);
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeGreaterThan(15);
      expect(document.tags.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['auth', 'graphql', 'mirror', 'alive']),
      );
    } finally {
      await app.close();
    }
  });

  it('in two versions, both of them', async () => {
    const app = await starting((application) => application.enableVersioning(versions));
    try {
      const { paths } = (await (await fetch(`${app.url}/v1/server/specs/oas`)).json()) as Document;
      expect(paths['/v1/mirror']?.['get']?.summary).toBe('The first');
      expect(paths['/v2/mirror']?.['get']?.summary).toBe('The second');
      expect(paths['/graphql']).toBeDefined();
    } finally {
      await app.close();
    }
  });
});
