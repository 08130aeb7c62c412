import type { Express, Request } from 'express';

interface Layer {
  match(path: string): boolean;
  route?: { methods: Record<string, boolean | undefined> };
}

/** The methods that some route takes on this path; empty where there is no route at all. */
export function allowedMethods(request: Request): string[] {
  const app = request.app as Express & { router: { stack: Layer[] } };
  const methods = new Set<string>();
  for (const layer of app.router.stack) {
    if (layer.route === undefined || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  methods.delete('_ALL');
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].toSorted((a, b) => (a < b ? -1 : 1));
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    // A malformed %-escape in a parameter.
    return false;
  }
}
