import type { Express, Request } from 'express';
import { type Route, routesOf } from '../common/http/routes';
import { isOurs } from './own-controllers';

/** Decides which requests are ours by the registered routes, whatever their prefix and version. */
export class OwnPaths {
  private roots: readonly string[] | undefined;

  /**
   * @param words the first words of the service's paths
   * @param prefix of the whole application; known once its routes are
   * @param endpoint every path below it is ours, although no route is there
   */
  constructor(
    private readonly host: Express,
    private readonly words: ReadonlySet<string>,
    private readonly prefix: () => string,
    private readonly endpoint: string,
  ) {}

  /**
   * A request is ours if a route or endpoint of ours takes it. If no route does, it is ours where all routes with its
   * path, or the root above it, are ours.
   */
  has(request: Request): boolean {
    const { path } = request;
    if (isBelow(path.toLowerCase(), `${this.prefix().toLowerCase()}${this.endpoint}`)) return true;
    const matching = routesOf(this.host).at(path);
    const method = preflighted(request) ?? request.method;
    const answering = matching.find((route) => route.takes(method));
    if (answering) return isOfUs(answering);
    return matching.length > 0 ? matching.every(isOfUs) : this.isBelowRoot(path.toLowerCase());
  }

  /**
   * The error that Express would raise about the path once it tries the routes, and pass to a filter of the
   * application.
   */
  faultOf({ path }: Request): Error | undefined {
    try {
      decodeURIComponent(path);
      return undefined;
    } catch (error) {
      const matching = routesOf(this.host).at(path);
      return matching.length > 0 ? Object.assign(error as Error, { status: 400 }) : undefined;
    }
  }

  private isBelowRoot(path: string): boolean {
    this.roots ??= this.readRoots();
    return this.roots.some((root) => isBelow(path, root));
  }

  private readRoots(): string[] {
    const prefix = this.prefix().toLowerCase();
    const paths = routesOf(this.host).all().filter(isOfUs);
    return [...new Set(paths.flatMap(({ path }) => this.rootOf(path.toLowerCase(), prefix) ?? []))];
  }

  /** The root of a path: `/v1/users` for `/v1/users/:id`. */
  private rootOf(path: string, prefix: string): string | undefined {
    const start = path.startsWith(`${prefix}/`) ? prefix : '';
    const words = path.slice(start.length + 1).split('/');
    const at = words.findIndex((word) => this.words.has(word));
    return at === -1 ? undefined : `${start}/${words.slice(0, at + 1).join('/')}`;
  }
}

const isBelow = (path: string, root: string): boolean =>
  path === root || path.startsWith(`${root}/`);

const isOfUs = ({ handler }: Route): boolean => isOurs(handler);

/** The method that a preflight request asks about. */
const preflighted = ({ method, headers }: Request): string | undefined =>
  method === 'OPTIONS' ? headers['access-control-request-method'] : undefined;
