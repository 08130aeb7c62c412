import { storingStatements } from '../../../src/repository';
import { create, read, seed, update, type World } from '../../factories';
import type { Reply } from '../../support';
import { type Cells, type LotsWorld, openLotsWorld } from './lots-world';

/**
 * The statement that stores one row is compiled once for the same decisions, names of fields and answer; nothing of one
 * request, or of another caller's rules, gets into the next.
 */
let world: World;
let lots: LotsWorld;

const OWN = { note: { _eq: '$CURRENT_USER' } };
const below = (most: number) => ({ validation: { qty: { _lt: most } } });

beforeAll(async () => {
  lots = await openLotsWorld(false);
  world = await seed(lots.app, {
    policies: {
      low: [
        read('lots', ['id', 'qty']),
        create('lots', ['title', 'qty'], {}, below(100)),
        update('lots', ['title', 'qty'], {}, below(100)),
      ],
      high: [
        read('lots', ['id', 'title', 'qty']),
        create('lots', ['title', 'qty'], {}, below(1_000)),
        update('lots', ['title', 'qty'], {}, below(1_000)),
      ],
      own: [
        read('lots', ['id', 'qty', 'note'], OWN),
        create('lots', ['title', 'qty'], {}, { presets: { note: '$CURRENT_USER' } }),
        update('lots', ['title', 'qty', 'price'], OWN),
      ],
      blind: [
        create('lots', ['title', 'qty'], {}, { presets: { note: '$CURRENT_USER' } }),
        update('lots', ['title', 'qty'], OWN, below(100)),
      ],
    },
    users: {
      lou: { policies: ['low'] },
      hugh: { policies: ['high'] },
      fay: { policies: ['own'] },
      guy: { policies: ['own'] },
      una: { policies: ['blind'] },
      ned: { policies: ['blind'] },
    },
  });
});

afterAll(() => world.app.close());

type Transport = (who: string, id: number | null, cells: Cells) => Promise<Reply>;

const rest: Transport = (who, id, cells) => {
  const comment = { 'x-comment': `${who} says ${String(cells['qty'])}` };
  return id === null
    ? world.as(who).send('POST', '/items/lots', cells, comment)
    : world.as(who).send('PATCH', `/items/lots/${id}`, cells, comment);
};

const graphql: Transport = (who, id, cells) => {
  const comment = { 'x-comment': `${who} says ${String(cells['qty'])}` };
  const query =
    id === null
      ? 'mutation ($data: create_lots_input!) { create_lots_item(data: $data) { id qty } }'
      : `mutation ($data: update_lots_input!) { update_lots_item(id: ${id}, data: $data) { id qty } }`;
  return world.as(who).send('POST', '/graphql', { query, variables: { data: cells } }, comment);
};

const lot = async (id: number): Promise<Cells> => {
  const { title, qty, note } = await lots.stored(id);
  return { title, qty, note };
};

const lastEntry = async (): Promise<Cells> => {
  const text = `SELECT "user", comment, item, action, before, after FROM service_activity ORDER BY id DESC LIMIT 1`;
  return (await world.app.database.query<Cells>(text))[0] ?? {};
};

const lastLot = async (): Promise<number> => {
  const [row] = await world.app.database.query<{ id: number }>('SELECT max(id) AS id FROM lots');
  return row?.id ?? 0;
};

const ROUNDS = [1, 2, 3, 4];

describe.each([
  ['REST', rest],
  ['GraphQL', graphql],
])('Repeated writes of one row by %s', (_, send) => {
  it.each([
    ['lou', 'id qty'],
    ['hugh', 'id qty title'],
    ['fay', 'id note qty'],
    ['guy', 'id note qty'],
    ['una', ''],
  ])('by %s store, log and answer what this request says', async (who, shown) => {
    // Over GraphQL, who may read nothing has no field to ask for.
    const way = shown === '' ? rest : send;
    const user = world.id(who);
    for (const round of ROUNDS) {
      const qty = round * 3;
      const made = await way(who, null, { title: `Lot ${round}`, qty });
      const id = await lastLot();
      const note = ['lou', 'hugh'].includes(who) ? null : user;
      expect(await lot(id)).toEqual({ title: `Lot ${round}`, qty, note });
      const said = { user, comment: `${who} says ${qty}`, item: String(id), action: 'create' };
      expect(await lastEntry()).toMatchObject({ ...said, after: { title: `Lot ${round}`, qty } });
      const title = round % 2 === 0 ? null : 'Changed';
      const changed = await way(who, id, { qty: qty + 1, title });
      expect(await lot(id)).toEqual({ title, qty: qty + 1, note });
      expect(await lastEntry()).toMatchObject({
        ...{ user, comment: `${who} says ${qty + 1}`, item: String(id), action: 'update' },
        ...{ before: { qty, title: `Lot ${round}` }, after: { qty: qty + 1, title } },
      });
      if (way === graphql) continue;
      expect([made.status, changed.status]).toEqual(shown === '' ? [204, 204] : [200, 200]);
      if (shown === '') continue;
      expect(Object.keys(changed.data).toSorted().join(' ')).toBe(shown);
      expect([made.data['qty'], changed.data['qty']]).toEqual([qty, qty + 1]);
    }
  });

  it('are each judged by the rules of their caller', async () => {
    for (const round of ROUNDS) {
      for (const [who, most] of [
        ['lou', 100],
        ['hugh', 1_000],
      ] as const) {
        const before = await lastLot();
        for (const qty of [most - round, most]) {
          const { codes } = await send(who, null, { title: 'Judged', qty });
          expect(codes).toEqual(qty < most ? [] : ['FAILED_VALIDATION']);
        }
        const id = await lastLot();
        expect([id > before, (await lot(id))['qty']]).toEqual([true, most - round]);
        for (const qty of [most, most - 2 * round]) {
          const { codes } = await send(who, id, { qty, title: 'Judged' });
          expect(codes).toEqual(qty < most ? [] : ['FAILED_VALIDATION']);
        }
        expect((await lot(id))['qty']).toBe(most - 2 * round);
      }
    }
  });

  it.each([
    ['fay', 'guy'],
    ['una', 'ned'],
  ])("never change another user's row: %s and %s", async (one, another) => {
    const way = one === 'una' ? rest : send;
    const ids: Record<string, number> = {};
    for (const who of [one, another]) {
      expect((await way(who, null, { title: who, qty: 1 })).codes).toEqual([]);
      ids[who] = await lastLot();
    }
    for (const round of ROUNDS) {
      for (const [who, other] of [
        [one, another],
        [another, one],
      ] as const) {
        expect((await way(who, ids[who] ?? 0, { qty: round })).codes).toEqual([]);
        expect((await way(who, ids[other] ?? 0, { qty: -1 })).codes).toEqual(['FORBIDDEN']);
      }
      expect((await lot(ids[one] ?? 0))['qty']).toBe(round);
      expect((await lot(ids[another] ?? 0))['qty']).toBe(round);
    }
  });
});

describe('The cached statement of a write', () => {
  it('is dropped with the rules that it contains', async () => {
    await rest('lou', null, { title: 'One', qty: 1 });
    const id = await lastLot();
    for (const qty of [2, 3, 4]) await rest('lou', id, { qty });
    const kept = [...storingStatements.keys()];
    expect(kept).toContainEqual(expect.stringMatching(/^update /));
    const rule = world.fill('/permissions/<low#3>');
    const change = (most: number) =>
      world.as('admin').patch(rule, { validation: { qty: { _lt: most } } });
    expect((await change(50)).status).toBe(200);
    expect(kept.filter((name) => storingStatements.has(name))).toEqual([]);
    for (const [qty, codes] of [
      [49, []],
      [51, ['FAILED_VALIDATION']],
      [48, []],
      [50, ['FAILED_VALIDATION']],
    ] as const) {
      expect((await rest('lou', id, { qty })).codes).toEqual(codes);
    }
    expect((await change(100)).status).toBe(200);
    expect((await rest('lou', id, { qty: 51 })).codes).toEqual([]);
  });

  it('is that of the same fields and the same answer alone', async () => {
    await rest('hugh', null, { title: 'One', qty: 1 });
    const id = await lastLot();
    const asked = ['', '?fields=id', '?fields=title,id', '?fields=qty'];
    const sent: Cells[] = [
      { qty: 5 },
      { title: 'x' },
      { qty: 6, title: 'y' },
      { title: 'z', qty: 7 },
    ];
    for (const round of ROUNDS) {
      for (const query of asked) {
        for (const cells of sent) {
          const written = {
            ...cells,
            ...('qty' in cells && { qty: Number(cells['qty']) + round }),
          };
          const path = `/items/lots/${id}${query}`;
          const { data } = await world.as('hugh').patch(path, written);
          const names = query === '' ? 'id,title,qty' : query.replace('?fields=', '');
          expect(Object.keys(data).join()).toBe(names);
          const stored = { id, ...(await lot(id)) };
          expect(stored).toMatchObject(written);
          expect(stored).toMatchObject(data);
        }
      }
    }
  });

  it('has the same text for every value, so the database prepares it once', async () => {
    await rest('fay', null, { title: 'One', qty: 1 });
    const id = await lastLot();
    const texts = new Set<string>();
    for (const price of ['1.50', null, '2', '2', id]) {
      const cells = { qty: id, price, title: 'One' };
      const [text = ''] = await lots.writesOf(() => rest('fay', id, cells));
      texts.add(text);
    }
    expect([...texts]).toEqual([expect.stringContaining('"$met"')]);
  });
});
