import { type Cell, isStored, type ToManyShape } from '../../../src/engine';
import { STORED } from '../pools';
import { withoutRows } from '../reference/deleting';
import { covered, metBy, rulesFor } from '../reference/judging';
import { type Link, linksOf } from '../reference/lists';
import { namesOf, pruneFilter } from '../reference/names';
import { byKey, rowsOf } from '../reference/seen';
import { isRow, membersOf } from '../reference/sent';
import { lists, type Views } from '../reference/virtual';
import { fieldOf, tableOf } from '../tables';
import type { ModelRule, SentRow, Write } from '../world';

/** The write as a caller would send it who knows the rules and the rows: with granted names, on rows within reach. */
export const likelyWrite = (write: Write, views: Views): Write => new Likely(views).write(write);

type Fit = (sent: Cell) => Cell | undefined;

class Likely {
  private readonly used = new Set<string>();

  constructor(private readonly views: Views) {}

  write(write: Write): Write {
    const { collection } = write;
    const pruned = (filter: object) =>
      pruneFilter({ ...filter }, collection, namesOf(this.views.world));
    switch (write.kind) {
      case 'create':
        return { ...write, payloads: write.payloads.map((sent) => this.created(collection, sent)) };
      case 'update': {
        const keys = this.taken(collection, write.keys, 'update');
        return { ...write, keys, payload: this.updated(collection, keys, write.payload) };
      }
      case 'update each': {
        const updates = write.updates.map(({ key, payload }) => {
          const keys = this.taken(collection, [key], 'update');
          return { key: keys[0] ?? key, payload: this.updated(collection, keys, payload) };
        });
        return { ...write, updates };
      }
      case 'update selected': {
        const filter = pruned(write.filter);
        return { ...write, filter, payload: this.updated(collection, [], write.payload) };
      }
      case 'delete':
        return { ...write, keys: this.taken(collection, write.keys, 'delete') };
      case 'delete selected':
        return { ...write, filter: pruned(write.filter) };
    }
  }

  private created(collection: string, sent: SentRow): SentRow {
    const { id = null, ...payload } = sent;
    const isSent =
      id !== null && (!byKey(this.views.real, collection, id) || isCareless(collection, id));
    const rules = rulesFor(this.views.world, collection, 'create');
    return this.fitted(collection, isSent ? sent : payload, rules, null);
  }

  private updated(collection: string, keys: readonly Cell[], sent: SentRow): SentRow {
    const [key = null] = keys;
    const row = byKey(this.views.real, collection, key);
    const rules = rulesFor(this.views.world, collection, 'update');
    const { real, ruleValues } = this.views;
    const met = row ? metBy(rules, collection, row, real, ruleValues) : rules;
    return this.fitted(collection, sent, met, key);
  }

  private fitted(
    collection: string,
    sent: SentRow,
    rules: readonly ModelRule[],
    parent: Cell,
  ): SentRow {
    return Object.fromEntries(
      Object.entries(sent).flatMap(([name, cell]): [string, Cell][] => {
        if (!rules.some((rule) => lists(rule, name))) return [];
        // Such a caller does not send what is always refused.
        if (name === tableOf(collection).deletedAt) return [];
        const fit = this.value(collection, name, cell, parent);
        return fit === undefined ? [] : [[name, fit]];
      }),
    );
  }

  private value(collection: string, name: string, sent: Cell, parent: Cell): Cell | undefined {
    const field = fieldOf(collection, name);
    if (field.kind === 'to-many') return this.list(field, sent, parent);
    if (field.kind === 'column' || sent === null) return sent;
    if (!isRow(sent)) return this.seen(field.target, sent);
    const { id, ...payload } = sent;
    if (id === undefined) return this.created(field.target, payload);
    return this.changed(field.target, sent, (key) => byKey(this.views.virtual, field.target, key));
  }

  /** Replaces any row by one that the caller sees. */
  private seen(collection: string, key: Cell): Cell | undefined {
    const keys = rowsOf(this.views.virtual, collection).map((row) => row.key);
    return this.choose(collection, keys, key);
  }

  private changed(collection: string, sent: SentRow, may: (key: Cell) => unknown) {
    const { id = null, ...payload } = sent;
    const keys = this.reached(collection, 'update', []).filter(may);
    const key = this.take(collection, keys, id);
    return key === undefined ? undefined : { id: key, ...this.updated(collection, [key], payload) };
  }

  private list(field: ToManyShape, sent: Cell, parent: Cell): Cell | undefined {
    const { target, foreignKey } = field;
    const links = linksOf(this.views.virtual, parent, field);
    const linked = links.map((link) => link.target);
    // Rules about the parent's key in the row are ignored.
    const movable = foreignKey === undefined ? [] : this.reached(target, 'update', []);
    const isIn = (key: Cell): boolean => linked.includes(key);
    const mayJoin = (key: Cell): boolean =>
      foreignKey === undefined
        ? byKey(this.views.virtual, target, key) !== undefined
        : movable.includes(key);
    const member: Fit = (each) => {
      if (!isRow(each)) return this.take(target, this.keys(target).filter(mayJoin), each);
      const far = field.through && each[field.through.targetForeignKey];
      if (field.through && far !== undefined)
        return this.fitted(field.through.collection, each, ALL, null);
      if (each['id'] === undefined) return this.created(target, each);
      return this.changed(target, each, (key) => isIn(key) || mayJoin(key));
    };
    const mayLeave = this.mayLeave(field, links, movable);
    if (!isRow(sent)) {
      const listed = fitAll(sent, member);
      return [...listed, ...linked.filter((key) => !mayLeave(key) && !listed.includes(key))];
    }
    const leave: Fit = (key) => this.take(target, linked.filter(mayLeave), key);
    return {
      create: fitAll(sent['create'], (each) =>
        isRow(each) && field.through && Object.hasOwn(each, field.through.targetForeignKey)
          ? member(each)
          : this.created(target, each as SentRow),
      ),
      update: fitAll(sent['update'], member),
      delete: fitAll(sent['delete'], leave),
    };
  }

  /** Whether a row may leave a list: its junction row is deleted, or it loses its parent, or it is deleted itself. */
  private mayLeave(field: ToManyShape, links: readonly Link[], movable: readonly Cell[]) {
    const { target, foreignKey = '', through } = field;
    if (through) {
      if (tableOf(through.collection).implicit) return () => true;
      const gone = this.reached(through.collection, 'delete', []);
      return (key: Cell): boolean =>
        links.every((each) => each.target !== key || gone.includes(each.link));
    }
    const key = fieldOf(target, foreignKey);
    const free = isStored(key) && key.nullable ? movable : this.reached(target, 'delete', []);
    return (each: Cell): boolean => free.includes(each);
  }

  private keys = (collection: string): Cell[] =>
    rowsOf(this.views.real, collection).map((row) => row.key);

  private reached(collection: string, action: string, names: readonly string[]): Cell[] {
    const { world, real, ruleValues } = this.views;
    const rules = rulesFor(world, collection, action);
    return rowsOf(real, collection)
      .filter((row) => covered(names, metBy(rules, collection, row, real, ruleValues)))
      .map((row) => row.key);
  }

  private taken(collection: string, drawn: readonly Cell[], action: string): Cell[] {
    const { rows } = this.views.world;
    const isFree = (key: Cell): boolean => withoutRows(rows, collection, [key]) !== undefined;
    const reached = this.reached(collection, action, []);
    const keys = action === 'delete' ? reached.filter(isFree) : reached;
    const taken = drawn.flatMap((key) => this.take(collection, keys, key) ?? []);
    return taken.length > 0 ? taken : [...drawn];
  }

  /** Chooses no row twice. */
  private take(collection: string, keys: readonly Cell[], drawn: Cell): Cell | undefined {
    const named = (key: Cell): string => JSON.stringify([collection, key]);
    const key = this.choose(collection, keys, drawn, (each) => !this.used.has(named(each)));
    if (key !== undefined) this.used.add(named(key));
    return key;
  }

  /** The given key, or another one instead; for the first few any stored key, within reach or not. */
  private choose(
    collection: string,
    keys: readonly Cell[],
    drawn: Cell,
    isFree = (_: Cell): boolean => true,
  ): Cell | undefined {
    const at = placeOf(collection, drawn);
    const free = (isCareless(collection, drawn) ? this.keys(collection) : keys).filter(isFree);
    return free.includes(drawn) ? drawn : free[Math.max(at, 0) % Math.max(free.length, 1)];
  }
}

/** For how many keys of the pool it does not matter whether they are within reach. */
const CARELESS = 2;

const placeOf = (collection: string, key: Cell): number =>
  (STORED[`${tableOf(collection).keyType} key`] ?? []).indexOf(key);

const isCareless = (collection: string, key: Cell): boolean => placeOf(collection, key) < CARELESS;

const ALL: readonly ModelRule[] = [
  {
    ...{ collection: '', action: 'create', fields: ['*'] },
    ...{ permissions: null, validation: null, presets: null },
  },
];

const fitAll = (sent: Cell | undefined, fit: Fit): Cell[] =>
  membersOf(sent).flatMap((each) => {
    const fitted = fit(each);
    return fitted === undefined ? [] : [fitted];
  });
