import 'reflect-metadata';
import { Inject, Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { ServiceUnavailable } from './common/errors';
import { failureText } from './start-failure';

@Module({ imports: [undefined as never] })
class CircularModule {}

@Injectable()
class Payments {
  constructor(@Inject('Bank') readonly bank: object) {}
}

@Module({ providers: [Payments] })
class LackingModule {}

const failureOf = async (module: Type): Promise<unknown> => {
  try {
    await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    return 'started';
  } catch (error) {
    return failureText(error);
  }
};

describe('An application that Nest cannot assemble is reported in one sentence, without a stack:', () => {
  it.each<[string, Type, string]>([
    [
      'modules that import each other',
      CircularModule,
      'Nest cannot create the CircularModule instance. The module at index [0] of the CircularModule "imports" array is undefined.',
    ],
    [
      'a missing provider',
      LackingModule,
      'Nest can\'t resolve dependencies of the Payments (?). Please make sure that the argument "Bank" at index [0] is available in the LackingModule module.',
    ],
  ])('%s', async (_, module, sentence) => {
    expect(await failureOf(module)).toBe(sentence);
  });
});

it('A statement of the start that takes too long is reported by the name of its setting', () => {
  const error = Object.assign(new Error('canceling statement due to statement timeout'), {
    code: '57014',
  });
  expect(failureText(error)).toBe(
    'A statement of the start took too long. Raise STATEMENT_TIMEOUT. (57014)',
  );
});

it('A start that waits too long for a lock is reported with where its holder is found', () => {
  const cause = Object.assign(new Error('canceling statement due to lock timeout'), {
    code: '55P03',
  });
  expect(failureText(new ServiceUnavailable({ service: 'database' }, { cause }))).toBe(
    'The start waited too long for a lock that another session holds. Find that session in pg_stat_activity, or raise LOCK_TIMEOUT. (55P03)',
  );
});

it.each([
  ['25P03', 'idle_in_transaction_session_timeout'],
  ['25P04', 'transaction_timeout'],
  ['57P05', 'idle_session_timeout'],
])(
  'A session of the start that the server ends with %s is reported with its setting',
  (code, setting) => {
    const error = Object.assign(new Error('terminating connection'), { code });
    expect(failureText(error)).toBe(
      `The database ended a session of the start: ${setting} of the server, the database or the role is too short for it. Raise it, or set it to 0. (${code})`,
    );
  },
);

it('A database that takes no writes is reported with the settings that lead there', () => {
  const refused = Object.assign(new Error('cannot execute INSERT in a read-only transaction'), {
    code: '25006',
  });
  const sentence =
    'The database takes no writes: DATABASE_URL must lead to the primary server, not to a standby, and default_transaction_read_only must be off. (25006)';
  expect(failureText(refused)).toBe(sentence);
  const translated = new ServiceUnavailable({ service: 'database' }, { cause: refused });
  expect(failureText(translated)).toBe(sentence);
});

describe('A failed TLS connection to the database is reported in one sentence, without a stack:', () => {
  it.each([
    [
      'the database has no TLS',
      new Error('The server does not support SSL connections'),
      'The database does not accept TLS connections, but DATABASE_URL asks for one. Remove sslmode from it, or turn on ssl at the server.',
    ],
    [
      'its certificate is from an unknown authority',
      Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      'The certificate of the database is not trusted: self-signed certificate. Name the file of its CA in DATABASE_URL (sslrootcert=…), or, if it need not be checked, set sslmode=no-verify. (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    [
      'its certificate is for another host',
      Object.assign(new Error("Hostname/IP does not match certificate's altnames"), {
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      }),
      'The certificate of the database is for another host than DATABASE_URL names. Write a host there that the certificate contains, or, if it need not be checked, set sslmode=no-verify. (ERR_TLS_CERT_ALTNAME_INVALID)',
    ],
    [
      'its certificate has expired',
      Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' }),
      'The certificate of the database has expired, or that of its CA. Renew it, or, if it need not be checked, set sslmode=no-verify. (CERT_HAS_EXPIRED)',
    ],
  ])('%s', (_, error, sentence) => {
    expect(failureText(error)).toBe(sentence);
  });
});

describe('A database that accepts no connection is reported in one sentence, without a stack:', () => {
  const CHECK = 'Check DATABASE_URL, and DATABASE_DIRECT_URL if it is set.';
  const fatal = Object.assign(
    new DatabaseError('unrecognized configuration parameter "nonsense"', 101, 'error'),
    { severity: 'FATAL', code: '42704' },
  );

  it.each([
    [
      'it does not answer',
      new Error('Connection terminated due to connection timeout', {
        cause: new Error('Connection terminated unexpectedly'),
      }),
      `The database does not answer. ${CHECK}`,
    ],
    [
      'it ends the connection',
      new Error('Connection terminated unexpectedly'),
      `The database server ended the connection: it is shutting down, or is not PostgreSQL. ${CHECK}`,
    ],
    [
      'it ends the session during a statement',
      new QueryFailedError(
        'CREATE TABLE tags (id int)',
        [],
        Object.assign(new DatabaseError('terminating connection', 101, 'error'), {
          severity: 'FATAL',
          code: '57P01',
        }),
      ),
      'The database server ended the connection. Try again in a moment. (57P01)',
    ],
    [
      'it ends the session between two statements',
      new QueryRunnerAlreadyReleasedError(),
      'The database server ended the connection. Try again in a moment.',
    ],
    [
      'it refuses the user, perhaps since the connection has no TLS',
      Object.assign(new DatabaseError('no pg_hba.conf entry, no encryption', 101, 'error'), {
        severity: 'FATAL',
        code: '28000',
      }),
      `The database refuses this user: it does not exist, or may not connect from this host, or only with TLS (sslmode in the URL). ${CHECK} (28000)`,
    ],
    [
      'it does not accept the options of the URL',
      fatal,
      `The database refuses the connection: unrecognized configuration parameter "nonsense". ${CHECK} (42704)`,
    ],
  ])('%s', (_, error, sentence) => {
    expect(failureText(error)).toBe(sentence);
  });

  it('but a failed statement is reported with its stack', () => {
    const error = Object.assign(new DatabaseError('no such column', 14, 'error'), {
      severity: 'ERROR',
      code: '42703',
    });
    expect(failureText(error)).toBe(error);
  });
});
