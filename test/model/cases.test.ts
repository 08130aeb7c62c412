import { ModelDatabase } from './model-database';
import { UUIDS } from './pools';
import type { Contents, ModelRule } from './world';

/** Cases that the random test found, by name. */
let model: ModelDatabase;
beforeAll(async () => {
  model = await ModelDatabase.open();
});
afterAll(() => model.close());

const [place = null, tag = null] = UUIDS;
const rows: Contents = {
  model_places: [{ id: place, name: 'here', size: 7, keeper: null }],
  model_tags: [{ id: tag, label: 'a' }],
};

const reading = (collection: string, fields: string[], permissions = {}): ModelRule => ({
  collection,
  action: 'read',
  permissions,
  validation: null,
  presets: null,
  fields,
});

async function callerOf(rules: ModelRule[], more: Contents = {}) {
  const caller = { administrator: false, user: null, policies: [] };
  const world = { rows: { ...rows, ...more }, caller, rules };
  await model.fill(world);
  return model.caller(world);
}

async function list(rules: ModelRule[], collection: string, query: object, more: Contents = {}) {
  const caller = await callerOf(rules, more);
  return (await model.repository(collection).list(caller, { ...query })).rows;
}

it('a search by a reader without any text fields finds nothing, and is not an error', async () => {
  const rules = [reading('model_places', ['keeper'])];
  expect(await list(rules, 'model_places', { search: 'here' })).toEqual([]);
});

it('a filter on a table in which a caller sees no row is not an error', async () => {
  const rules = [reading('model_tags', ['*'], { id: { _eq: '$CURRENT_USER' } })];
  expect(await list(rules, 'model_tags', { filter: { label: { _eq: 'a' } } })).toEqual([]);
});

it('a related row of a collection that the caller cannot read is shown as its key, and as NULL when opened', async () => {
  const note = { id: place, name: 'there', size: null, keeper: tag };
  const user = { id: tag, title: 'a', level: 1, labels: null, role: null, home: null };
  const more = { model_places: [note], service_users: [user] };
  const rules = [reading('model_places', ['keeper'])];
  const shown = { id: place, keeper: tag };
  expect(await list(rules, 'model_places', {}, more)).toEqual([shown]);
  const opened = await list(rules, 'model_places', { fields: ['id', 'keeper.*'] }, more);
  expect(opened).toEqual([{ id: place, keeper: null }]);
  await expect(
    list(rules, 'model_places', { fields: ['keeper.title'] }, more),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

it('rows of one request may all refer to a row that the caller saw before the request, even if the first of them hides it', async () => {
  const rules = [
    reading('model_tags', ['*'], { links: { _none: {} } }),
    reading('model_links', ['*']),
    { ...reading('model_links', ['tag']), action: 'update' },
    { ...reading('model_links', ['tag']), action: 'create' },
  ];
  const model_links = [1, 2].map((id) => ({ id, thing: null, tag: null }));
  const links = model.repository('model_links');
  const caller = await callerOf(rules, { model_links });
  const updated = await links.update(caller, { keys: [1, 2] }, { tag }, {});
  expect(updated.rows.map((row) => row['tag'])).toEqual([tag, tag]);
  await expect(links.update(caller, { keys: [1] }, { tag }, {})).rejects.toMatchObject({
    code: 'INVALID_FOREIGN_KEY',
  });
  const again = await callerOf(rules);
  const created = await links.create(again, [{ tag }, { tag }], {});
  expect(created.rows.map((row) => row['tag'])).toEqual([tag, tag]);
});
