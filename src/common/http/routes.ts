import type { Express } from 'express';
import { type Layer, hasPrefix, staticPrefixOf } from './static-prefixes';

/** A route in Express's router; its types lack what is read here. */
interface RouteLayer extends Layer {
  readonly route: {
    readonly path: unknown;
    readonly methods: Readonly<Record<string, boolean | undefined>>;
    readonly stack: readonly { readonly handle: object }[];
  };
}

interface Router {
  readonly stack: readonly (RouteLayer | { readonly route?: undefined })[];
}

export class Route {
  /** In capitals; HEAD where there is GET. */
  readonly methods: ReadonlySet<string>;
  readonly path: string;
  private readonly prefix: string;

  constructor(private readonly layer: RouteLayer) {
    const { path, methods } = layer.route;
    const names = Object.keys(methods).map((name) => name.toUpperCase());
    this.methods = new Set(names.includes('GET') ? [...names, 'HEAD'] : names);
    this.path = typeof path === 'string' ? path : '';
    this.prefix = staticPrefixOf(this.path);
  }

  /** The handler. Nest copies the metadata of a controller's method on to it. */
  get handler(): object {
    return this.layer.route.stack[0]?.handle ?? {};
  }

  /** A path with a malformed %-escape matches too: that route then refuses it. */
  matches(path: string): boolean {
    if (!hasPrefix(path, this.prefix)) return false;
    try {
      return Boolean(this.layer.match(path));
    } catch {
      return true;
    }
  }

  takes(method: string): boolean {
    return this.methods.has(method) || this.methods.has('_ALL');
  }
}

/** The routes of an application, in the order in which they are tried. Read on first use. */
export class Routes {
  private routes: readonly Route[] = [];
  private read = -1;
  private readonly byMark = new Map<string, readonly Route[]>();

  constructor(private readonly router: Router) {}

  all(): readonly Route[] {
    const { stack } = this.router;
    if (this.read !== stack.length) {
      this.routes = stack.filter(isRoute).map((layer) => new Route(layer));
      this.read = stack.length;
      this.byMark.clear();
    }
    return this.routes;
  }

  /** Routes whose methods have a decorator's metadata. */
  marked(key: string): readonly Route[] {
    const all = this.all();
    const marked =
      this.byMark.get(key) ?? all.filter(({ handler }) => Reflect.hasMetadata(key, handler));
    this.byMark.set(key, marked);
    return marked;
  }

  at(path: string): Route[] {
    return this.all().filter((route) => route.matches(path));
  }

  /** The route that answers. */
  find(method: string, path: string): Route | undefined {
    return this.all().find((route) => route.takes(method) && route.matches(path));
  }
}

const isRoute = (layer: Router['stack'][number]): layer is RouteLayer => layer.route !== undefined;

const known = new WeakMap<object, Routes>();

export function routesOf({ router }: Express): Routes {
  const cached = known.get(router);
  if (cached) return cached;
  const routes = new Routes(router as unknown as Router);
  known.set(router, routes);
  return routes;
}
