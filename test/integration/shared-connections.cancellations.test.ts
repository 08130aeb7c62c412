import net from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { onPostgres, describeOnPostgres } from '../support';
import { ALSO_HELD, AskedReads, FREE, HELD, WAIT } from './asked-reads';

let asked: AskedReads;

/** The embedded database cannot cancel a statement. */
beforeAll(async () => {
  if (onPostgres() === undefined) return;
  Logger.overrideLogger(false);
  asked = await AskedReads.open();
});

beforeEach(() => asked?.learn(WAIT, [FREE]));
afterEach(() => asked?.allGivenBack());
afterAll(() => asked?.close());

/** Delays cancellations until they are released. */
function holdCancellations() {
  const held: (() => Promise<unknown>)[] = [];
  const connect = (port: number, host: string): net.Socket => {
    const socket = new net.Socket();
    held.push(() => once(socket.connect(port, host), 'close'));
    return socket;
  };
  const spy = jest.spyOn(net, 'connect').mockImplementation(connect as typeof net.connect);
  const areSent = async (): Promise<void> => {
    while (held.length === 0) await sleep(5);
  };
  const release = async (): Promise<void> => {
    spy.mockRestore();
    await Promise.all(held.map((go) => go()));
  };
  return { areSent, release };
}

describeOnPostgres('a cancellation that reaches the server late', () => {
  it('does not cancel what its connection runs for the next client', async () => {
    const cancellations = holdCancellations();
    const leaving = { aborted: false };
    const gone = asked.read(WAIT, [HELD], leaving).catch(() => undefined);
    expect(await asked.lent()).toBe(1);
    leaving.aborted = true;
    await cancellations.areSent();
    await asked.letGo(asked.nobodyWaits());
    const next = asked.read(WAIT, [HELD]);
    await asked.somebodyWaits();
    await cancellations.release();
    expect(await asked.letGo(next)).toMatchObject([{ waited: '' }]);
    await gone;
  });

  it('does not cancel what was sent behind the cancelled statement, either', async () => {
    const cancellations = holdCancellations();
    const leaving = { aborted: false };
    const gone = asked.read(WAIT, [HELD], leaving).catch(() => undefined);
    const behind = asked.read(WAIT, [ALSO_HELD]);
    expect(await asked.lent()).toBe(1);
    leaving.aborted = true;
    await cancellations.areSent();
    await asked.letGo(asked.somebodyWaits(ALSO_HELD));
    await cancellations.release();
    expect(await asked.letGo(behind, ALSO_HELD)).toMatchObject([{ waited: '' }]);
    await gone;
  });
});
