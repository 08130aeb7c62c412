import { networkOf } from './networks';

it.each<[string | null, string]>([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ['2001:db8::1:2:3:4', '2001:db8:0:0::/64'],
  ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  // A gateway maps all IPv4 hosts below one prefix.
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0:0:0:c000:201'],
  ['64:ff9b::192.0.2.2', '64:ff9b:0:0:0:0:c000:202'],
  [null, 'unknown'],
  ['', 'unknown'],
  ['example.com', 'unknown'],
  ['192.0.2.1:8080', 'unknown'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
