import { isIP, isIPv6 } from 'node:net';
import type { EnvReader } from './env-reader';

const NAMED_PROXIES = new Set(['loopback', 'linklocal', 'uniquelocal']);
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const MAX_DOMAIN = 253;

/** Proxies in front of the service: how many, or their addresses. */
export function readTrustProxy(env: EnvReader, name: string): false | number | string[] {
  const raw = env.text(name)?.toLowerCase();
  if (raw === undefined || raw === 'false' || raw === '0') return false;
  if (/^\d{1,2}$/.test(raw)) return Number(raw);
  const proxies = env.list(name).map((proxy) => proxy.toLowerCase());
  if (proxies.length > 0 && proxies.every(isProxy)) return proxies;
  // `true` would trust any address that a client writes into the header.
  env.fault(name, 'must be false, the number of proxies, or a list of their addresses');
  return false;
}

function isProxy(text: string): boolean {
  if (NAMED_PROXIES.has(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return false;
  if (bits === undefined) return true;
  const maxBits = isIPv6(address) ? 128 : 32;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= maxBits;
}

/** @param publicUrl as given: browsers drop a cookie for a domain to which the page does not belong */
export function readCookieDomain(
  env: EnvReader,
  name: string,
  publicUrl: string | undefined,
): string | undefined {
  const raw = env.text(name);
  if (raw === undefined) return undefined;
  const domain = raw.replace(/^\./, '').toLowerCase();
  const host = publicUrl === undefined ? domain : new URL(publicUrl).hostname;
  if (!isDomain(domain)) env.fault(name, 'must be the name of a domain, such as example.com');
  else if (host !== domain && !host.endsWith(`.${domain}`)) {
    env.fault(name, 'must be the host of PUBLIC_URL or a domain above it');
  }
  return raw;
}

const isDomain = (text: string): boolean =>
  text.length <= MAX_DOMAIN &&
  isIP(text) === 0 &&
  text.split('.').every((label) => LABEL.test(label));

const METRICS_TOKEN = /^[!-~]{16,}$/;

export function readMetricsToken(env: EnvReader, name: string): string | undefined {
  const token = env.text(name);
  if (token !== undefined && !METRICS_TOKEN.test(token)) {
    env.fault(name, 'must have at least 16 characters, all of them ASCII, and no white space');
  }
  return token;
}

export function readOrigins(env: EnvReader, name: string): string[] {
  const origins = env.list(name).filter((origin) => origin.toLowerCase() !== 'false');
  const wrong = origins.some(
    (origin) => origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin),
  );
  if (wrong) env.fault(name, 'must be * or a list of origins such as https://app.example.com');
  return origins;
}
