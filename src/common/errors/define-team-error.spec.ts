import { defineTeamError } from './define-team-error';
import { InvalidPayload, InvalidQuery } from './data-errors';

describe("a team's error", () => {
  it('has its code and status', () => {
    expect(new (defineTeamError('OUT_OF_STOCK', 409, 'There is none left.'))({})).toMatchObject({
      code: 'OUT_OF_STOCK',
      status: 409,
      message: 'There is none left.',
      headers: {},
    });
  });

  it.each(['FORBIDDEN', 'INVALID_QUERY', 'INTERNAL_SERVER_ERROR'])(
    'cannot have the code %s, which is one of the service',
    (code) => {
      expect(() => defineTeamError(code, 403, 'No.')).toThrow(
        `defineError('${code}', …) uses a code of the service: choose another, or throw the service's own error.`,
      );
    },
  );

  it.each([200, 399, 600, 404.5, Number.NaN])('cannot have the status %d', (status) => {
    expect(() => defineTeamError('ODD', status, 'Odd.')).toThrow(
      `defineError('ODD', ${status}, …) has a status that is not an error's: use one from 400 to 599.`,
    );
  });
});

describe('the message of an error about a request', () => {
  it.each([
    ['is unknown', 'Invalid query: "sort" is unknown.'],
    ['is unknown. Is name meant?', 'Invalid query: "sort" is unknown. Is name meant?'],
    ['is unknown.', 'Invalid query: "sort" is unknown.'],
  ])('ends with one punctuation mark, also for the reason %j', (reason, message) => {
    expect(new InvalidQuery({ field: 'sort', reason }).message).toBe(message);
    expect(new InvalidPayload({ field: 'sort', reason }).message).toBe(
      message.replace('query', 'payload'),
    );
  });
});
