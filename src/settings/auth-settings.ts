import { Injectable } from '@nestjs/common';
import { Database, type Queries } from '../database';
import { patternOf } from './password-pattern';

/** The project's settings for sign-in. */
interface AuthRules {
  /** How many wrong passwords for one account from one network are allowed before it has to wait; null: no limit. */
  readonly loginAttempts: number | null;
  /** A pattern that every new password must match. */
  readonly passwordPolicy: string | null;
}

const READ = `
  SELECT auth_login_attempts AS "loginAttempts", auth_password_policy AS "passwordPolicy"
  FROM service_settings`;

/** Reads the project's settings for sign-in. */
@Injectable()
export class AuthSettings {
  constructor(private readonly database: Database) {}

  /**
   * Reads the current values.
   * @param queries those of a transaction, if there is one
   */
  async read(queries: Queries = this.database): Promise<AuthRules> {
    const [rules] = await queries.query<AuthRules>(READ);
    if (!rules) throw new Error('There are no settings');
    const { passwordPolicy } = rules;
    return { ...rules, passwordPolicy: passwordPolicy && patternOf(passwordPolicy) };
  }
}
