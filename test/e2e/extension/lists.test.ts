import { CollectionsModule } from 'doorward';
import { seed, type World } from '../../factories';
import { startTestApp, type TestClient } from '../../support';
import { Ticket, TicketMark, Topic } from './helpdesk';

let world: World;
let admin: TestClient;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Ticket, Topic, TicketMark])];
  world = await seed(await startTestApp({ imports, synchronize: true }), {});
  admin = world.as('admin');
});

afterAll(() => world.app.close());

const FREE = 'c0000000-0000-4000-8000-00000000000';

const topic = async (name: string): Promise<string> =>
  String((await admin.post('/items/topics', { name })).data['id']);

/** A ticket with two topics, one of them marked twice. */
async function marked(): Promise<{ path: string; one: string; two: string }> {
  const [one, two] = [await topic('one'), await topic('two')];
  const reply = await admin.post('/items/tickets', {
    title: 'T',
    topics: [one],
    marks: [one, two],
  });
  const ticket = Number(reply.data['id']);
  await admin.post('/items/ticket_marks', { ticket, topic: one });
  return { path: `/items/tickets/${ticket}?fields=topics.name,marks.name`, one, two };
}

const sorted = 'deep={"topics":{"_sort":"name"},"marks":{"_sort":"name"}}';
const names = async (path: string): Promise<unknown> => (await admin.get(`${path}&${sorted}`)).data;

const BEFORE = {
  topics: [{ name: 'one' }],
  marks: [{ name: 'one' }, { name: 'one' }, { name: 'two' }],
};

describe('A list', () => {
  it.each([
    ['children', { title: 'child', id: 4711 }, { children: [4711] }],
    ['marks', { name: 'new', id: `${FREE}1` }, { marks: [`${FREE}1`] }],
    ['topics', { name: 'new', id: `${FREE}2` }, { topics: [`${FREE}2`] }],
  ])('uses an id under `create` for a new row: %s', async (list, row, expected) => {
    const made = await admin.post(`/items/tickets?fields=id,${list}`, {
      title: 'T',
      [list]: { create: [row] },
    });
    expect(made.data).toMatchObject(expected);
  });

  it.each(['marks', 'topics'])(
    'neither creates nor links a row if an id is sent without the required fields: %s',
    async (list) => {
      const { path, two } = await marked();
      const reply = await admin.patch(path, { [list]: { create: [{ id: `${FREE}3` }] } });
      expect(reply.codes).toEqual(['FAILED_VALIDATION']);
      const there = await admin.patch(path, { [list]: { create: [{ id: two }] } });
      expect(there.codes).toEqual(['FAILED_VALIDATION']);
      expect(await names(path)).toEqual(BEFORE);
    },
  );

  it.each([
    ['leaving it out of the list', ({ two }: { two: string }) => [two]],
    ['deleting it', ({ one }: { one: string }) => ({ delete: [one] })],
  ])('loses a row that is linked twice by %s', async (_, marks) => {
    const there = await marked();
    const reply = await admin.patch(there.path, { marks: marks(there) });
    expect(reply.data).toMatchObject({ marks: [{ name: 'two' }] });
  });

  it("refuses a junction's field if there is no junction collection", async () => {
    const { path, two } = await marked();
    const reply = await admin.patch(path, { topics: { create: [{ topics_id: two }] } });
    expect(reply.codes).toEqual(['INVALID_PAYLOAD']);
    expect(await names(path)).toEqual(BEFORE);
  });

  it('links nothing if a constraint on the links refuses it', async () => {
    const { path, one } = await marked();
    const barred = `${FREE}4`;
    await world.app.database.query(
      `ALTER TABLE helpdesk_tickets_topics ADD CONSTRAINT barred CHECK (topics_id <> '${barred}')`,
    );
    const row = { name: 'barred', id: barred };
    const reply = await admin.patch(path, { topics: { create: [row], delete: [one] } });
    expect([reply.status, reply.codes]).toEqual([400, ['FAILED_VALIDATION']]);
    expect(await names(path)).toEqual(BEFORE);
  });
});
