import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * An address in canonical form: an IPv4 address written as IPv6 is that IPv4 address. The zone of an IPv6 address,
 * which may be of any length, only names a network interface of one host and is removed.
 */
export function plainAddress(text: string): string {
  const address = text.split('%', 1)[0] ?? '';
  return MAPPED.exec(address)?.[1] ?? address;
}

/** Whether the text is an address or a network in CIDR form. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || !isIP(address)) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;
/** Translated IPv4 addresses, each in the last two groups: each counts as its own network. */
const TRANSLATED = /^(?:0:0:0:0:0:ffff|64:ff9b:0:0:0:0):/;

/**
 * The network that an address is counted under: for IPv6 its /64, within which a host may take any address. All unknown
 * addresses count as one.
 */
export function networkOf(address: string | null): string {
  const plain = plainAddress(address ?? '');
  if (!isIPv6(plain)) return isIPv4(plain) ? plain : 'unknown';
  const groups = groupsOf(plain);
  const expanded = groups.join(':');
  return TRANSLATED.test(expanded) ? expanded : `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, however it is written. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...first, ...Array<string>(GROUPS - first.length - last.length).fill('0'), ...last];
}

/** Networks that an address may be in. An empty list contains every address, a filled one never an unknown address. */
export class Networks {
  private readonly list = new BlockList();

  constructor(private readonly networks: readonly string[]) {
    for (const network of networks.filter(isNetwork)) this.add(network);
  }

  holds(address: string | null): boolean {
    if (this.networks.length === 0) return true;
    if (address === null) return false;
    const plain = plainAddress(address);
    return isIPv6(plain)
      ? this.list.check(plain, 'ipv6')
      : isIPv4(plain) && this.list.check(plain, 'ipv4');
  }

  private add(network: string): void {
    const [address = '', bits] = network.split('/');
    const mapped = MAPPED.test(address);
    const plain = plainAddress(address);
    const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
    const all = family === 'ipv4' ? 32 : 128;
    this.list.addSubnet(plain, bits === undefined ? all : prefixOf(Number(bits), mapped), family);
  }
}

/** An IPv4 address written as IPv6 has 96 bits before its own. */
const prefixOf = (bits: number, isMapped: boolean): number =>
  isMapped ? Math.max(0, bits - 96) : bits;
