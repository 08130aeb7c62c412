import { Logger } from '@nestjs/common';
import type { Reply } from '../../support';

export interface Entry {
  message: string;
  extensions: Record<string, unknown>;
}

export const entriesOf = ({ body }: Reply): Entry[] =>
  (body as { errors: Entry[] }).errors.map(({ message, extensions }) => ({ message, extensions }));

const refused: [string, number, string, object][] = [
  ['missing', 404, 'No such invoice', { code: 'NOT_FOUND' }],
  ['conflict', 409, 'Already paid', { code: 'CONFLICT' }],
  ['bad', 400, 'Cannot be paid twice', { code: 'BAD_REQUEST' }],
  ['teapot', 418, 'Short and stout', { code: 'IM_A_TEAPOT' }],
  ['bare', 404, 'Not Found', { code: 'NOT_FOUND' }],
  ['coded', 409, 'Gone on', { code: 'INVOICE_GONE', invoice: 5 }],
  ['errorCode', 409, 'Twice', { code: 'PAID_TWICE' }],
  ['badCode', 409, 'Odd', { code: 'CONFLICT' }],
  ['subclass', 423, 'The order is locked.', { code: 'ORDER_LOCKED' }],
  ['circular', 409, 'Round', { code: 'CONFLICT' }],
  ['wrapping', 400, 'Unreadable', { code: 'BAD_REQUEST' }],
  ['own', 409, 'There is none left.', { code: 'OUT_OF_STOCK' }],
  ['tillsTaken', 503, 'All tills are taken.', { code: 'TILLS_TAKEN' }],
  ['httpMissing', 404, 'No such shelf', { code: 'NOT_FOUND' }],
  ['httpDenied', 401, 'Show your badge', { code: 'UNAUTHORIZED' }],
  ['unheard', 460, 'Of no name', { code: 'ERROR_460' }],
];

const faults: [string, number, string][] = [
  ['unavailable', 503, 'SERVICE_UNAVAILABLE'],
  ['gateway', 502, 'BAD_GATEWAY'],
  ['ownFault', 500, 'BROKEN'],
  ['ownGateway', 502, 'UNREACHED'],
  ['httpGateway', 502, 'BAD_GATEWAY'],
  ...['plain', 'string', 'nothing', 'fine', 'moved', 'nonsense', 'ownCause', 'httpHidden'].map(
    (name): [string, number, string] => [name, 500, 'INTERNAL_SERVER_ERROR'],
  ),
];

/**
 * @@param open sends a request whose handler throws the error of this name
 * @@param executed whether GraphQL executes it, and so answers with 200 even if it fails
 */
export function describeOwnErrors(
  open: (name: string) => Promise<Reply>,
  executed: 'executed' | 'routed' = 'routed',
): void {
  const shown = (status: number): number => (executed === 'executed' ? 200 : status);
  let log: jest.SpyInstance;
  beforeEach(() => void (log = jest.spyOn(Logger.prototype, 'error').mockImplementation()));
  afterEach(() => log.mockRestore());

  it.each(refused)('keeps status and message: %s', async (name, status, message, extensions) => {
    const response = await open(name);
    expect(entriesOf(response)).toEqual([{ message, extensions }]);
    expect(response.status).toBe(shown(status));
    expect(response.text).not.toContain('request_id');
  });

  it.each(faults)(
    'is answered without details, and logged, if it is an internal error: %s',
    async (name, status, code) => {
      const response = await open(name);
      expect(response.status).toBe(shown(status));
      expect(response.text).not.toMatch(/hunter2|srv|of itself/);
      const id = response.headers.get('x-request-id');
      expect(entriesOf(response)).toEqual([
        { message: expect.any(String), extensions: { code, request_id: id } },
      ]);
      expect(log.mock.calls.map(([line]) => String(line))).toEqual([
        expect.stringContaining(`[${String(id)}]`),
      ]);
    },
  );
}

/** The errors of the `ValidationPipe` in the fixtures. */
export const invalid = [
  {
    message: 'payer must be an email',
    extensions: { code: 'INVALID_PAYLOAD', field: 'payer', reason: 'must be an email' },
  },
  {
    message: 'amount must be an integer number',
    extensions: { code: 'INVALID_PAYLOAD', field: 'amount', reason: 'must be an integer number' },
  },
  {
    message: 'Say what it is for',
    extensions: { code: 'INVALID_PAYLOAD', reason: 'Say what it is for' },
  },
];
