import { availableParallelism } from 'node:os';

/** Node has four threads for such work; one is left for files and DNS. */
const MAX_THREADS = 3;

/** How many passwords are hashed or compared at a time: each keeps a thread busy for tens of milliseconds. */
export const HASH_CONCURRENCY = Math.min(availableParallelism(), MAX_THREADS);
