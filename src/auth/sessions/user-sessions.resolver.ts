import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { SignedIn } from '../../common/request/access.decorators';
import { CurrentCaller } from '../../common/request/transport';
import type { Caller } from '../../engine';
import { TypeDefs } from '../../graphql';
import { type SessionView, UserSessionsService } from './user-sessions.service';

const SDL = `
  type users_session {
    id: ID device: String ip: String created_at: Date last_seen: Date expires_at: Date current: Boolean
  }
  extend type Query { users_me_sessions: [users_session!] }
  extend type Mutation {
    delete_users_me_session(id: ID!): delete_one
    delete_users_me_sessions: Boolean
    delete_users_sessions(id: ID!): Boolean
  }`;

/** The same four operations as in REST. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: SDL })
@SignedIn({ asksToSignIn: true, staticToken: 'refused' })
export class UserSessionsResolver {
  constructor(private readonly sessions: UserSessionsService) {}

  @Query('users_me_sessions')
  list(@CurrentCaller() caller: Caller): Promise<SessionView[]> {
    return this.sessions.list(caller);
  }

  @Mutation('delete_users_me_session')
  async endOne(@CurrentCaller() caller: Caller, @Args('id') id: string): Promise<{ id: string }> {
    await this.sessions.endOne(caller, id);
    return { id };
  }

  @Mutation('delete_users_me_sessions')
  async endOthers(@CurrentCaller() caller: Caller): Promise<boolean> {
    await this.sessions.endOthers(caller);
    return true;
  }

  @Mutation('delete_users_sessions')
  @SignedIn()
  async endAllOf(@CurrentCaller() caller: Caller, @Args('id') id: string): Promise<boolean> {
    await this.sessions.endAllOf(caller, id);
    return true;
  }
}
