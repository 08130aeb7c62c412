/** Bounds on a filter, whoever writes it: nesting, members in all, and operands of its lists in all. */
export const FILTER_LIMITS = { depth: 30, nodes: 1000, list: 10_000 } as const;
