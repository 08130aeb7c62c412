const unserved = new WeakSet<object>();

/** Marks that no route takes a request, so that its answer is that the route was not found. */
export function markUnserved(request: object): void {
  unserved.add(request);
}

export const isUnserved = (request: object): boolean => unserved.has(request);
