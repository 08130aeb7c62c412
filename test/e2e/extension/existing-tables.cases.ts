import type { World } from '../../factories';
import type { Reply } from '../../support';

export const ODD = 'A/B %2F,ü "1"';
export const BIG = '9007199254740993';

/** Views, and properties described by TypeORM's own decorators. */
export function viewsAndExposed(world: () => World): void {
  const graphql = (name: string, query: string, variables: object = {}): Promise<Reply> =>
    world().as(name).post('/graphql', { query, variables });

  describe('a view', () => {
    it('is read under rules, over REST and GraphQL', async () => {
      const expected = [{ code: ODD, total: '20.00' }];
      expect((await world().as('ann').get('/items/balances?fields=*')).data).toEqual(expected);
      const { data } = await graphql('ann', '{ balances { code total } }');
      expect(data).toEqual({ balances: expected });
      const path = '/items/balances/B?fields=total,customer.name';
      expect((await world().as('admin').get(path)).data).toEqual({
        total: '5.00',
        customer: { name: 'Bee' },
      });
    });

    it('accepts no write and no rule for writing', async () => {
      const admin = world().as('admin');
      for (const reply of [
        await admin.post('/items/balances', { code: 'x' }),
        await admin.patch('/items/balances/B', { total: 1 }),
        await admin.delete('/items/balances/B'),
      ]) {
        expect([reply.status, reply.codes]).toEqual([403, ['FORBIDDEN']]);
      }
      const mutation = await graphql('admin', 'mutation { delete_balances_item(id: "B") { id } }');
      expect(mutation.status).toBe(400);
      const rule = {
        collection: 'balances',
        action: 'update',
        fields: ['*'],
        policy: world().id('selling'),
      };
      const refused = await admin.post('/permissions', rule);
      expect([refused.status, refused.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
      expect(refused.text).toContain('is only read');
    });
  });

  describe('properties with TypeORM’s own decorators', () => {
    it('are exposed as the decorators say, and no others', async () => {
      const admin = world().as('admin');
      const supplier = {
        id: 5,
        name: 'Mills',
        since: '2024-05-06T07:08:09.000Z',
        kind: 'mill',
        customer: 'B',
      };
      expect((await admin.post('/items/suppliers', supplier)).data).toEqual(supplier);
      const { data } = await graphql('admin', '{ suppliers { kind customer { name } } }');
      expect(data).toEqual({ suppliers: [{ kind: 'mill', customer: { name: 'Bee' } }] });
      for (const [wrong, code] of [
        [{ id: 6, name: 'x'.repeat(11) }, 'VALUE_TOO_LONG'],
        [{ id: 6, name: 'x', kind: 'shop' }, 'FAILED_VALIDATION'],
        [{ id: 6 }, 'FAILED_VALIDATION'],
        [{ id: 6, name: 'x', secret: 's' }, 'INVALID_PAYLOAD'],
      ] as const) {
        expect((await admin.post('/items/suppliers', wrong)).codes).toEqual([code]);
      }
    });

    it('follow long keys and junction tables', async () => {
      const admin = world().as('admin');
      const made = await admin.post('/items/groups', [{ id: BIG }, {}]);
      const [, second] = made.data as unknown as { id: number }[];
      const member = await admin.post('/items/members?fields=*,others.id', {
        group: BIG,
        others: [BIG],
      });
      expect(member.data).toEqual({ id: 1, group: BIG, others: [{ id: BIG }] });
      const { data } = await graphql('admin', `{ groups_by_id(id: "${BIG}") { members { id } } }`);
      expect(data).toEqual({ groups_by_id: { members: [{ id: '1' }] } });
      expect(typeof second?.id).toBe('number');
    });
  });
}
