import { Collection, CollectionsModule, Field } from 'doorward';
import { create, read, remove, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';
import { Playlist, PlaylistTrack } from './playlist.entities';

@Collection('tracks')
class Track {
  @Field.key('uuid') id!: string;
  @Field.text() name!: string;
}

const VISIBLE = { name: { _neq: 'Hidden' } };
const PLAYED = { tracks_id: VISIBLE };

let world: World;
const tracks: Record<string, string> = {};

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Track, Playlist, PlaylistTrack])];
  world = await seed(await startTestApp({ imports, synchronize: true }), {
    policies: {
      listening: [
        read('tracks', ['*'], VISIBLE),
        create('tracks', ['name']),
        ...[read, update, create].map((allow) => allow('playlists', ['tracks'])),
        read('playlists_tracks', ['*'], PLAYED),
        create('playlists_tracks', ['tracks_id', 'position', 'playlists_id']),
        update('playlists_tracks', ['position'], PLAYED),
        remove('playlists_tracks', PLAYED),
      ],
    },
    users: { ann: { policies: ['listening'] } },
  });
  for (const name of ['One', 'Two', 'Hidden']) {
    const made = await world.as('admin').post('/items/tracks', { name });
    tracks[name] = String(made.data['id']);
  }
});

afterAll(() => world.app.close());

const SHOWN =
  'fields=id,tracks.id,tracks.position,tracks.tracks_id.name&deep[tracks][_sort]=position';

interface Link {
  readonly id: string;
  readonly position: number | null;
  readonly tracks_id: { readonly name: string } | null;
}

const linksOf = (data: unknown): readonly Link[] => (data as { tracks: Link[] }).tracks;
const played = (data: unknown): unknown[] =>
  linksOf(data).map(({ position, tracks_id }) => [position, tracks_id?.name]);

describe('a junction that is a collection', () => {
  it('is written as clients of Directus do, and read through', async () => {
    const ann = world.as('ann');
    const made = await ann.post(`/items/playlists?${SHOWN}`, {
      tracks: [
        { tracks_id: tracks['Two'], position: 2 },
        { tracks_id: { id: tracks['One'] }, position: 1 },
        { tracks_id: { name: 'New' }, position: 3 },
      ],
    });
    expect(played(made.data)).toEqual([
      [1, 'One'],
      [2, 'Two'],
      [3, 'New'],
    ]);
    const [first, second] = linksOf(made.data);
    const path = `/items/playlists/${String(made.data['id'])}?${SHOWN}`;
    const moved = await ann.patch(path, {
      tracks: [{ id: first?.id, position: 7 }, { id: second?.id }],
    });
    expect(played(moved.data)).toEqual([
      [2, 'Two'],
      [7, 'One'],
    ]);
    const changed = await ann.patch(path, {
      tracks: {
        create: [{ tracks_id: tracks['One'], position: 8 }],
        update: [{ id: second?.id, position: 9 }],
        delete: [first?.id],
      },
    });
    expect(played(changed.data)).toEqual([
      [8, 'One'],
      [9, 'Two'],
    ]);
  });

  it('works in the same way in GraphQL', async () => {
    const query = `mutation ($data: create_playlists_input!) {
      create_playlists_item(data: $data) { tracks(sort: ["position"]) { position tracks_id { name } } }
    }`;
    const data = {
      tracks: [{ tracks_id: tracks['One'], position: 4 }, { tracks_id: tracks['Two'] }],
    };
    const reply = await world.as('ann').post('/graphql', { query, variables: { data } });
    expect(played(reply.data['create_playlists_item'])).toEqual([
      [4, 'One'],
      [null, 'Two'],
    ]);
  });

  it('has its own rules: no one can link what they cannot see', async () => {
    const reply = await world
      .as('ann')
      .post('/items/playlists', { tracks: [{ tracks_id: tracks['Hidden'], position: 1 }] });
    expect(reply.codes).toEqual(['INVALID_FOREIGN_KEY']);
  });
});
