import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  Collections,
  CollectionsModule,
  CollectionService,
  createApp,
  type DoorwardAsyncOptions,
  DoorwardModule,
  InjectService,
  ProtectedRepository,
  Public,
  protectedRepositoryToken,
} from 'doorward';
import { ServiceDataSource } from '../../../src/database/data-source';
import { as, makeLastingStorage, refusalOf, TEST_ADMIN, type TestStorage } from '../../support';
import { settingsFor } from './start-host';
import { Parcel } from './team';

@Injectable()
class ParcelCounter {
  constructor(@InjectService(Parcel) readonly parcels: CollectionService) {}
}

@Controller('seen')
class SeenController {
  @Get()
  @Public()
  seen(): object {
    return { data: 'here' };
  }
}

@Module({
  imports: [CollectionsModule.forFeature([Parcel])],
  controllers: [SeenController],
  providers: [ParcelCounter],
})
class ParcelsModule {}

describe('createApp', () => {
  let storage: TestStorage;
  let app: NestExpressApplication;

  beforeAll(async () => {
    storage = await makeLastingStorage();
    const settings = await settingsFor(storage);
    app = await createApp([ParcelsModule], { settings: { ...settings, LOG_REQUESTS: false } });
    await app
      .get(ServiceDataSource)
      .query('CREATE TABLE parcels (id serial PRIMARY KEY, title text)');
  });

  afterAll(async () => {
    await app.close();
    await storage.drop();
  });

  it('returns the application before it listens, so that more can be set on it', async () => {
    expect((app.getHttpServer() as { listening: boolean }).listening).toBe(false);
    app.setGlobalPrefix('inner');
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    expect(await (await fetch(`${url}/inner/seen`)).json()).toEqual({ data: 'here' });
    const login = await as({ url }).post('/inner/auth/login', TEST_ADMIN);
    const admin = as({ url }, String(login.data['access_token']));
    expect((await admin.post('/inner/items/parcels', { title: 'one' })).data).toMatchObject({
      title: 'one',
    });
  });

  it('returns what can be injected into a module', () => {
    const repository = app.get<unknown>(protectedRepositoryToken(Parcel), { strict: false });
    expect(repository).toBeInstanceOf(ProtectedRepository);
    expect(app.get(Collections).repository('parcels')).toBe(repository);
    const { parcels } = app.get(ParcelCounter, { strict: false });
    expect(parcels).toBeInstanceOf(CollectionService);
  });
});

describe('A wrong setting stops the start with a sentence that names it', () => {
  const misspelt = { settings: { PROT: 1 } as object };

  it('createApp', async () => {
    expect(await refusalOf(createApp([], misspelt))).toMatchObject({
      name: 'StartupError',
      message: 'There is no setting PROT: see docs/configuration.md.',
    });
  });

  it.each([
    ['a setting', misspelt, 'There is no setting PROT: see docs/configuration.md.'],
    [
      'an option',
      { guards: 'ours' },
      'DoorwardModule has no option guards: its options are settings and guard.',
    ],
    ['a guard', { guard: 'our' }, "guard of DoorwardModule must be 'all' or 'ours', not our."],
  ])('forRoot: %s', async (_, options, message) => {
    @Module({ imports: [DoorwardModule.forRoot(options as object)] })
    class TeamModule {}
    const starting = NestFactory.create(TeamModule, { abortOnError: false, logger: false });
    expect(await refusalOf(starting)).toMatchObject({ name: 'StartupError', message });
  });

  it.each([
    ['no options', undefined, 'The options of DoorwardModule must be an object, not undefined.'],
    ['null', null, 'The options of DoorwardModule must be an object, not null.'],
    ['a list', [], 'The options of DoorwardModule must be an object, not a list.'],
    ['no settings', { settings: null }, 'settings of DoorwardModule must be an object, not null.'],
  ])('forRootAsync, whose factory returns %s', async (_, options, message) => {
    const useFactory = (): object => options as object;
    @Module({ imports: [DoorwardModule.forRootAsync({ useFactory })] })
    class TeamModule {}
    const starting = NestFactory.create(TeamModule, { abortOnError: false, logger: false });
    expect(await refusalOf(starting)).toMatchObject({ name: 'StartupError', message });
  });

  it('forRootAsync without a factory', () => {
    const options = { useClass: SeenController } as object;
    expect(() => DoorwardModule.forRootAsync(options as DoorwardAsyncOptions)).toThrow(
      'DoorwardModule.forRootAsync needs useFactory, a function that returns the options.',
    );
  });

  const twice =
    'DoorwardModule is imported in more than one place: keep one forRoot, in one module of the application.';

  it.each([
    [
      'DoorwardModule without forRoot',
      [DoorwardModule],
      [],
      'DoorwardModule is imported without options: write DoorwardModule.forRoot() or forRootAsync(…).',
    ],
    ['forRoot, and a second without', [DoorwardModule], [DoorwardModule.forRoot()], twice],
    ['a second forRoot', [DoorwardModule.forRoot()], [DoorwardModule.forRoot()], twice],
  ])('%s', async (_, imports, more, message) => {
    @Module({ imports })
    class FeatureModule {}
    @Module({ imports: [...more, FeatureModule] })
    class TeamModule {}
    const starting = NestFactory.create(TeamModule, { abortOnError: false, logger: false });
    expect(await refusalOf(starting)).toMatchObject({ name: 'StartupError', message });
  });
});
