import { join } from 'node:path';
import { freePort } from './free-port';
import { changedFiles, startListening } from './own-programs';
import { closeWith } from './poolers';

export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/** A balancer in front of instances on these two ports of this machine. */
export type StartBalancer = (ports: readonly [number, number]) => Promise<Balancer>;

const isRoot = process.getuid?.() === 0;
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

const addressesOf = ([one, other]: readonly [number, number]): Record<string, string> => ({
  'instance-1:3000': `127.0.0.1:${one}`,
  'instance-2:3000': `127.0.0.1:${other}`,
});

/** nginx with `deploy/nginx.conf`. */
export const startNginx: StartBalancer = async (ports) => {
  const port = await freePort();
  const files = changedFiles();
  const folders = TEMPORARY.map((name) => `${name}_temp_path ${join(files.folder, name)};`);
  const settings = files.copy('nginx.conf', {
    ...addressesOf(ports),
    'listen 80;': `listen 127.0.0.1:${port};`,
    'http {': `http { ${folders.join(' ')}`,
  });
  // Settings of the process, which otherwise come from a package or an image.
  const process = `daemon off; pid ${join(files.folder, 'pid')}; error_log stderr warn;${isRoot ? ' user root;' : ''}`;
  const program = await startListening(
    'nginx',
    ['-p', files.folder, '-e', 'stderr', '-c', settings, '-g', process],
    port,
  );
  return { url: `http://127.0.0.1:${port}`, close: () => closeWith(program, files) };
};

/** HAProxy with `deploy/haproxy.cfg`. */
export const startHaproxy: StartBalancer = async (ports) => {
  const port = await freePort();
  const files = changedFiles();
  const settings = files.copy('haproxy.cfg', {
    ...addressesOf(ports),
    'bind :80': `bind 127.0.0.1:${port}`,
  });
  const program = await startListening('haproxy', ['-db', '-f', settings], port);
  return { url: `http://127.0.0.1:${port}`, close: () => closeWith(program, files) };
};
