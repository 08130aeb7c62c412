import {
  Controller,
  Get,
  Module,
  type Type,
  VERSION_NEUTRAL,
  type VersioningOptions,
  VersioningType,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { Public } from 'doorward';
import { as, makeTestStorage, refusalOf, startTestApp, type TestStorage } from '../../support';

type Version = string | typeof VERSION_NEUTRAL | string[];
const URI = VersioningType.URI;
const HEADER = { type: VersioningType.HEADER, header: 'x-version' } as const;

/** A team's route at `path`, in an application with these versions. */
function moduleOf(
  path: string,
  version: Version | undefined,
  versioning: VersioningOptions | undefined,
): Type {
  @Controller({ path, ...(version !== undefined && { version }) })
  class Mirror {
    @Get()
    @Public()
    all(): object {
      return { theirs: true };
    }
  }

  @Module({ controllers: [Mirror] })
  class MirrorModule {
    constructor(application: ApplicationConfig) {
      if (versioning) application.enableVersioning(versioning);
    }
  }
  return MirrorModule;
}

let own: TestStorage;
beforeAll(async () => {
  own = await makeTestStorage();
});
afterAll(() => own.drop());

const starting = (...of: Parameters<typeof moduleOf>) =>
  startTestApp({
    ...{ host: 'stock', storage: own.storage, logger: false, synchronize: true },
    imports: [moduleOf(...of)],
  });

type Case = [string, Version | undefined, VersioningOptions | undefined];

describe('A route at a path of the service stops the start', () => {
  it.each<Case>([
    ['in its default version', '1', { type: URI, defaultVersion: '1' }],
    ['in several versions with it', ['2', '1'], { type: URI, defaultVersion: '1' }],
    ['in one of its versions', '1', { type: URI, defaultVersion: ['1', '2'] }],
    ['in no version, as it is', VERSION_NEUTRAL, { type: URI, defaultVersion: VERSION_NEUTRAL }],
    ['without versions', VERSION_NEUTRAL, undefined],
    ['in a version that has no effect', '2', undefined],
    ['in every version of a header', VERSION_NEUTRAL, { ...HEADER, defaultVersion: '1' }],
    ['in a version of a header, where it is in every one', '1', HEADER],
  ])('%s', async (_, version, versioning) => {
    expect(await refusalOf(starting('users', version, versioning))).toMatchObject({
      name: 'RegistrationError',
      message:
        'Mirror.all is at GET /users, where the service has routes of its own. Give it another path.',
    });
  });

  it('also below the GraphQL endpoint, which has no version', async () => {
    const refused = starting('graphql/x', VERSION_NEUTRAL, { type: URI, defaultVersion: '1' });
    expect((await refusalOf(refused)).message).toContain('belongs to the GraphQL endpoint');
  });
});

describe('A route at a path of the service is served beside it', () => {
  it.each<[...Case, theirs: string, ours: string]>([
    ['in another version', '2', { type: URI, defaultVersion: '1' }, '/v2/users', '/v1/users'],
    [
      'in no version, where the service has one',
      ...([VERSION_NEUTRAL, { type: URI, defaultVersion: '1' }] as const),
      ...(['/users', '/v1/users'] as const),
    ],
    ['in a version, where the service has none', '1', { type: URI }, '/v1/users', '/users'],
  ])('%s', async (_, version, versioning, theirs, ours) => {
    const app = await starting('users', version, versioning);
    try {
      expect(await (await fetch(app.url + theirs)).json()).toEqual({ theirs: true });
      expect((await fetch(app.url + ours)).status).toBe(403);
    } finally {
      await app.close();
    }
  });
});

it('A request in no version of a header, or in a wrong one, finds no route', async () => {
  const app = await starting('mirror', '2', { ...HEADER, defaultVersion: '1' });
  const answer = async (method: string, version?: string): Promise<unknown[]> => {
    const headers: Record<string, string> = version === undefined ? {} : { 'x-version': version };
    const { status, codes } = await as(app).send(method, '/users', undefined, headers);
    return [status, ...codes];
  };
  try {
    expect(await answer('GET', '1')).toEqual([403, 'FORBIDDEN']);
    expect(await answer('GET')).toEqual([404, 'ROUTE_NOT_FOUND']);
    expect(await answer('GET', '2')).toEqual([404, 'ROUTE_NOT_FOUND']);
    expect(await answer('PUT', '1')).toEqual([405, 'METHOD_NOT_ALLOWED']);
  } finally {
    await app.close();
  }
});
