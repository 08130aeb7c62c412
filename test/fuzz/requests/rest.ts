import type { CollectionShape } from '../../../src/engine';
import { jsonOf, oddText, oddValue, secretText, corrupted } from '../odd';
import { Queries } from '../queries';
import type { Random } from '../random';
import type { Route, Surface } from '../surface';
import { keyOf, payloadFor } from '../values';
import {
  barely,
  bodyOf,
  escaped,
  type FuzzRequest,
  type Known,
  MAX_PATH,
  oddHeaders,
} from './request';

const READS = ['GET', 'HEAD', 'SEARCH', 'OPTIONS'];
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE', 'SEARCH', 'PROPFIND'];

/** Requests to the routes. */
export class RestRequests {
  private readonly queries: Queries;

  constructor(
    private readonly surface: Surface,
    private readonly known: Known,
    private readonly random: Random,
  ) {
    this.queries = new Queries(surface, random);
  }

  make(caller: string | null): FuzzRequest {
    const { random } = this;
    const route = random.pick(this.surface.routes);
    const method = random.chance(0.04) ? random.pick(METHODS) : route.method;
    const hasBody = random.chance(READS.includes(method) && method !== 'SEARCH' ? 0.03 : 0.95);
    const query = random.chance(READS.includes(method) ? 0.8 : 0.12) ? this.queryString(route) : '';
    return {
      caller,
      method,
      path: (this.path(route) + query).slice(0, MAX_PATH),
      headers: {
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(random.chance(0.1) && oddHeaders(random, this.known)),
      },
      body: hasBody ? bodyOf(this.bodyText(route, method), random) : undefined,
      writes: !READS.includes(method),
    };
  }

  private path({ path, collection }: Route): string {
    const { random } = this;
    const filled = path.replaceAll(/[:*](\w+)/g, (_, name: string) =>
      this.parameter(name, collection),
    );
    if (random.chance(0.97)) return filled;
    return random.pick([
      `${filled}/`,
      `/${filled}`,
      `${filled}/${escaped(oddText(random))}`,
      filled.toUpperCase(),
      filled.replace('/', '/%2e%2e/'),
      `${filled}%`,
      `${filled};a=b`,
    ]);
  }

  private parameter(name: string, collection: CollectionShape | undefined): string {
    const { random, surface } = this;
    if (random.chance(0.1)) {
      return random.way([
        [4, () => escaped(oddText(random))],
        [1, () => barely(oddText(random)).replaceAll('/', '')],
        [1, () => random.pick(['%', '%zz', '%ff', '%c0%80', '%ed%a0%80', '%2f', '..', '%2e%2e'])],
      ]);
    }
    const names = [...surface.shapes.keys()];
    return name === 'collection'
      ? random.pick(names)
      : escaped(keyOf(collection?.name ?? random.pick(names), surface, random));
  }

  private shapeOf({ collection }: Route): CollectionShape {
    return collection ?? this.random.pick(this.surface.collections);
  }

  private queryString(route: Route): string {
    const { random } = this;
    const write = random.chance(0.9) ? escaped : barely;
    const parts = Object.entries(this.queries.parameters(this.shapeOf(route))).flatMap(
      ([name, value]) => this.written(name, value, write),
    );
    if (random.chance(0.05))
      parts.push(random.pick(['&&=', 'a[', 'filter[]', '[x]=1', 'limit=1&limit=2', '%']));
    return `?${parts.join('&')}`;
  }

  /** Writes a list with commas or as repeated parameters, an object as JSON or with brackets. */
  private written(name: string, value: unknown, write: (text: string) => string): string[] {
    const { random } = this;
    if (typeof value !== 'object' || value === null)
      return [`${write(name)}=${write(String(value))}`];
    if (
      Array.isArray(value) &&
      random.chance(0.6) &&
      value.every((each) => typeof each === 'string')
    ) {
      return [`${write(name)}=${value.map(write).join(',')}`];
    }
    if (random.chance(name === 'filter' || name === 'deep' ? 0.6 : 0.1)) {
      return [`${write(name)}=${write(jsonOf(value))}`];
    }
    return this.bracketed(write(name), value, write);
  }

  private bracketed(prefix: string, value: unknown, write: (text: string) => string): string[] {
    if (typeof value !== 'object' || value === null) return [`${prefix}=${write(String(value))}`];
    if (prefix.length > 1_000) return [`${prefix}=${write(jsonOf(value))}`];
    const named = !Array.isArray(value) || this.random.chance(0.5);
    return Object.entries(value).flatMap(([key, member]) =>
      this.bracketed(`${prefix}[${named ? write(key) : ''}]`, member, write),
    );
  }

  private bodyText(route: Route, method: string): string {
    const { random } = this;
    if (random.chance(0.03)) return jsonOf(oddValue(random, 5));
    const body = this.body(route, method);
    return jsonOf(random.chance(0.25) ? corrupted(body, random) : body);
  }

  private body(route: Route, method: string): unknown {
    const { random } = this;
    const shape = this.shapeOf(route);
    const known = route.twin !== undefined && route.twin.length > 0;
    return random.way<unknown>([
      [known ? 6 : 0, () => this.arguments(route)],
      [
        route.collection || !known ? 6 : 0,
        () => this.itemBody(shape, method, route.path.includes(':')),
      ],
      [1, () => this.anyWords()],
    ]);
  }

  /** Values for the arguments of the corresponding GraphQL operation. */
  private arguments({ twin = [] }: Route): object {
    const given = twin.filter(() => this.random.chance(0.8));
    return Object.fromEntries(given.map(({ name }) => [name, this.knownOrOdd(name)]));
  }

  private knownOrOdd(name: string): unknown {
    const known = this.known[name] ?? [];
    if (known.length > 0 && this.random.chance(0.7)) return this.random.pick(known);
    return this.random.chance(0.3) ? secretText(this.random) : oddValue(this.random);
  }

  private anyWords(): object {
    const names = this.random.some(this.surface.words, 5);
    return Object.fromEntries(names.map((name) => [name, this.knownOrOdd(name)]));
  }

  private itemBody(shape: CollectionShape, method: string, single: boolean): unknown {
    const { random, surface } = this;
    const item = (): object => payloadFor(shape.name, surface, random);
    const key = (): string => keyOf(shape.name, surface, random);
    const keys = (): string[] => random.times(random.int(4), key);
    const query = (): object => this.queries.parameters(shape);
    if (method === 'SEARCH') return { query: query() };
    if (method === 'POST' || single) {
      return random.chance(0.8) ? item() : random.times(random.int(4), item);
    }
    const data = method === 'DELETE' ? {} : { data: item() };
    return random.way<unknown>([
      [3, () => ({ keys: keys(), ...data })],
      [3, () => ({ query: query(), ...data })],
      [2, () => (method === 'DELETE' ? keys() : { [shape.key]: keys(), ...item() })],
      [2, () => random.times(random.int(4), () => ({ ...item(), [shape.key]: key() }))],
      [1, item],
    ]);
  }
}
