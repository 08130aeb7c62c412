import { Forbidden } from '../../../common/errors';
import type { Key } from '../../write-context';
import type { ListPayload } from './list-payload';
import type { Link } from './seen-rows';

/** The requested list, with its current links. */
export interface ListChange extends Omit<ListPayload, 'detach'> {
  /** Keys of `attach` and `update` that are not in the list yet. */
  readonly joining: readonly Key[];
  readonly leaving: readonly Link[];
  /** How many rows are made, updated or linked. */
  readonly written: number;
}

/** @throws Forbidden where a row to remove is not in the list, as far as the caller sees */
export function compareLists(payload: ListPayload, links: readonly Link[]): ListChange {
  const linked = byTarget(links);
  const named = new Map(namedKeys(payload).map((key) => [String(key), key]));
  const joining = [...named].flatMap(([text, key]) => (linked.has(text) ? [] : [key]));
  const changed = new Set([...joining, ...payload.update.map(({ key }) => key)]);
  return {
    ...payload,
    joining,
    leaving: leavingLinks(payload.detach, linked, named),
    written: payload.create.length + payload.junctionRows.length + changed.size,
  };
}

const namedKeys = ({ attach, update }: ListPayload): Key[] => [
  ...attach,
  ...update.map(({ key }) => key),
];

/** The related rows whose membership matters; undefined: the whole list. */
export const askedFor = (payload: ListPayload): readonly Key[] | undefined =>
  payload.detach === 'others'
    ? undefined
    : [...new Set([...namedKeys(payload), ...payload.detach])];

type LinksByTarget = ReadonlyMap<string, readonly Link[]>;

/** A row may be linked more than once. */
function byTarget(links: readonly Link[]): LinksByTarget {
  const found = new Map<string, Link[]>();
  for (const link of links) {
    const text = String(link.target);
    const known = found.get(text);
    if (known) known.push(link);
    else found.set(text, [link]);
  }
  return found;
}

/** A removed row loses all of its links. */
function leavingLinks(
  detach: ListPayload['detach'],
  linked: LinksByTarget,
  named: ReadonlyMap<string, Key>,
): Link[] {
  if (detach === 'others')
    return [...linked].flatMap(([text, links]) => (named.has(text) ? [] : links));
  return detach.flatMap((key) => {
    const found = linked.get(String(key));
    if (!found) throw new Forbidden({});
    return found;
  });
}

/** The updates of a list's rows, with the key of each. */
export const updatesOf = ({ update }: ListChange) =>
  update.map(({ key, payload }) => ({ keys: [key], payload, key }));
