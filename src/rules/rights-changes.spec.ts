import type { Subscriber } from '../database/broadcast/broadcast';
import { RightsChanges } from './rights-changes';

function setUp() {
  const hearings: Subscriber[] = [];
  const changes = new RightsChanges({
    current: true,
    subscribe: (hearing) => void hearings.push(hearing),
  });
  const heard: string[] = [];
  changes.subscribe({
    onRightsChanged: () => void heard.push('rights'),
    onUserChanged: (user) => void heard.push(user),
    onGap: () => void heard.push('all'),
  });
  const [hearing] = hearings;
  return { hearing, heard };
}

describe('published changes', () => {
  it.each([
    ['*rights', ['rights']],
    ['ada bob', ['ada', 'bob']],
    ['*rights ada', ['rights', 'ada']],
    ['*', ['all']],
    ['', []],
  ])('as "%s" affect %j', (message, expected) => {
    const { hearing, heard } = setUp();
    hearing?.onMessage(message);
    expect(heard).toEqual(expected);
  });

  it('that may have been missed count as changes of anything', () => {
    const { hearing, heard } = setUp();
    hearing?.onGap();
    expect(heard).toEqual(['all']);
  });
});
