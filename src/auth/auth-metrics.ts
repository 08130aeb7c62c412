import { Injectable } from '@nestjs/common';
import { Metrics } from '../common/metrics/metrics';
import { AccessTokens } from './access-tokens';
import { SessionCache } from './sessions/session-cache';
import { SessionTokens } from './sessions/session-tokens';
import { StaticTokenCache } from './static-tokens/static-token-cache';

/** Reports the size of the caches of sign-in. */
@Injectable()
export class AuthMetrics {
  constructor(
    metrics: Metrics,
    sessions: SessionCache,
    staticTokens: StaticTokenCache,
    access: AccessTokens,
    session: SessionTokens,
  ) {
    metrics.addCache('sessions', sessions.sized);
    metrics.addCache('static_tokens', staticTokens.sized);
    metrics.addCache('signed_tokens', access.sized, session.sized);
  }
}
