import { Injectable } from '@nestjs/common';

/** The state of something that the service can do without for a while. */
export interface CheckResult {
  readonly status: 'ok' | 'warn';
  /** Details for administrators: never a secret or an address. */
  readonly [detail: string]: unknown;
}

export type Check = () => CheckResult | Promise<CheckResult>;

/** The checks of features on what they depend on. */
@Injectable()
export class HealthChecks {
  private readonly checks = new Map<string, Check>();

  /** Call this while the application starts. */
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
