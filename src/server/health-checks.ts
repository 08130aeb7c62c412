import { Injectable } from '@nestjs/common';

/** How something that the service can do without for a while is. */
export interface CheckResult {
  readonly status: 'ok' | 'warn';
  /** What an administrator may want to know: never a secret, never an address. */
  readonly [detail: string]: unknown;
}

export type Check = () => CheckResult | Promise<CheckResult>;

/** What features have to say of what they depend on. */
@Injectable()
export class HealthChecks {
  private readonly checks = new Map<string, Check>();

  /** Called while the application starts. */
  add(name: string, check: Check): void {
    this.checks.set(name, check);
  }

  /** @throws what a check throws */
  async run(): Promise<Record<string, CheckResult>> {
    const results = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await check()] as const),
    );
    return Object.fromEntries(results);
  }
}
