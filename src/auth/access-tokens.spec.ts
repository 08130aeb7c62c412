import { JwtService } from '@nestjs/jwt';
import { AppConfig } from '../config/app-config';
import { InvalidCredentials, TokenExpired } from '../common/errors';
import { AccessTokens } from './access-tokens';
import { jwtOptions } from './signed-tokens';
import { SecretKeys } from '../secrets';
import { TokenKeys } from './token-keys';

const USER = '11111111-1111-4111-8111-111111111111';
const SESSION = '22222222-2222-4222-8222-222222222222';

function tokensWith(env: Record<string, string> = {}): AccessTokens {
  const config = new AppConfig({ SECRET: 'a secret for the tests of tokens', ...env });
  return new AccessTokens(
    new JwtService(jwtOptions(new TokenKeys(new SecretKeys(config)))),
    config,
  );
}

afterEach(() => jest.useRealTimers());

describe('an access token', () => {
  it('returns what it was made from', () => {
    const tokens = tokensWith();
    expect(tokens.read(tokens.issue(USER, SESSION))).toMatchObject({
      user: USER,
      session: SESSION,
    });
  });

  it('is valid exactly for the stated time, cached or not', () => {
    jest.useFakeTimers({ now: 1_700_000_000_500 });
    const tokens = tokensWith({ ACCESS_TOKEN_TTL: '60s' });
    const token = tokens.issue(USER, SESSION);
    jest.setSystemTime(1_700_000_060_499);
    expect(tokens.read(token).user).toBe(USER);
    jest.setSystemTime(1_700_000_061_000);
    expect(() => tokens.read(token)).toThrow(TokenExpired);
    expect(() => tokens.read(token)).toThrow(TokenExpired);
    expect(() => tokensWith().read(token)).toThrow(TokenExpired);
  });

  it('of another secret is refused', () => {
    const foreign = tokensWith({ SECRET: 'another secret altogether, as long' });
    expect(() => tokensWith().read(foreign.issue(USER, SESSION))).toThrow(InvalidCredentials);
  });

  it('that is far too long is refused without being read', () => {
    const tokens = tokensWith();
    expect(() => tokens.read(`${tokens.issue(USER, SESSION)}${'x'.repeat(5000)}`)).toThrow(
      InvalidCredentials,
    );
  });
});
