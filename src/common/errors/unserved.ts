const unserved = new WeakSet<object>();

/** Marks that no route takes a request: what is «not found» from now on is the route. */
export function markUnserved(request: object): void {
  unserved.add(request);
}

export const isUnserved = (request: object): boolean => unserved.has(request);
