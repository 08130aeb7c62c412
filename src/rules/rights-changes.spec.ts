import type { Hearing } from '../database/broadcast/broadcast';
import { RightsChanges } from './rights-changes';

function setUp() {
  const hearings: Hearing[] = [];
  const changes = new RightsChanges({
    current: true,
    listen: (hearing) => void hearings.push(hearing),
  });
  const heard: string[] = [];
  changes.listen({
    forgetRights: () => void heard.push('rights'),
    forgetUser: (user) => void heard.push(user),
    forgetAll: () => void heard.push('all'),
  });
  const [hearing] = hearings;
  return { hearing, heard };
}

describe('changes that are told', () => {
  it.each([
    ['*rights', ['rights']],
    ['ada bob', ['ada', 'bob']],
    ['*rights ada', ['rights', 'ada']],
    ['*', ['all']],
    ['', []],
  ])('as "%s" touch %j', (message, expected) => {
    const { hearing, heard } = setUp();
    hearing?.hears(message);
    expect(heard).toEqual(expected);
  });

  it('and missed may be of anything', () => {
    const { hearing, heard } = setUp();
    hearing?.missed();
    expect(heard).toEqual(['all']);
  });
});
