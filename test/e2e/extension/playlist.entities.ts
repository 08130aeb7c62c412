import { Collection, Field } from 'doorward';

@Collection('playlists')
export class Playlist {
  @Field.key('uuid')
  id!: string;

  @Field.toMany('playlists_tracks', 'playlists_id')
  tracks!: string[];
}

@Collection('playlists_tracks')
export class PlaylistTrack {
  @Field.key('uuid')
  id!: string;

  @Field.toOne(() => Playlist, { onDelete: 'CASCADE' })
  playlists_id!: Playlist;

  @Field.toOne('tracks', { onDelete: 'CASCADE' })
  tracks_id!: string;

  @Field.integer({ nullable: true })
  position!: number | null;
}
