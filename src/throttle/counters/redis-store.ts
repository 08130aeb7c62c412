import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { type SharedStore, UNLIMITED } from './shared-store';

/**
 * No request waits for a Redis that is gone or hangs: commands are neither queued nor sent again (the first two
 * options), are given up soon (the third), and a silent connection is closed, so that the next commands fail at once.
 */
const FAIL_FAST = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 500,
  socketTimeout: 1_000,
  connectTimeout: 1_000,
} as const;

const MAX_RETRY_DELAY = 5_000;
const RETRY_DELAY = 200;
const OPEN_TIMEOUT = 1_000;

export class RedisStore implements SharedStore {
  readonly name = 'redis';
  readonly limiter: RateLimiterRedis;

  private constructor(
    private readonly redis: Redis,
    private readonly logger: Logger,
  ) {
    this.limiter = new RateLimiterRedis({
      ...UNLIMITED,
      storeClient: redis,
      keyPrefix: 'doorward:limits',
      rejectIfRedisNotReady: true,
    });
  }

  /** The client is loaded on use, so that it costs nothing without Redis. */
  static async of(url: string): Promise<RedisStore> {
    const { Redis } = await import('ioredis');
    const logger = new Logger('Redis');
    let refused = false;
    const redis = new Redis(url, {
      ...FAIL_FAST,
      lazyConnect: true,
      retryStrategy: (times) =>
        refused ? MAX_RETRY_DELAY : Math.min(times * RETRY_DELAY, MAX_RETRY_DELAY),
    });
    redis.on('error', (error) => {
      // The caller of a command reports its error.
      logger.debug(error.message);
      if (redis.status !== 'connect') return;
      // Not ready yet: the database may not be selected, and the client would go on with database 0.
      redis.disconnect(true);
      if (refused || !isRefusedDatabase(error)) return;
      refused = true;
      logger.warn(`The database that REDIS_URL names cannot be used: ${error.message}`);
    });
    return new RedisStore(redis, logger);
  }

  async open(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, OPEN_TIMEOUT);
    });
    try {
      await Promise.race([this.redis.connect(), enough]);
    } catch (error) {
      // The client continues to try to connect.
      this.logger.debug(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async shorten(key: string, leftMs: number): Promise<void> {
    await this.redis.pexpire(this.limiter.getKey(key), leftMs);
  }

  close(): Promise<void> {
    this.redis.disconnect();
    return Promise.resolve();
  }
}

const isRefusedDatabase = (error: Error & { readonly command?: { readonly name: string } }) =>
  error.command?.name === 'select';
