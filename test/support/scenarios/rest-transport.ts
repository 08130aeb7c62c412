import type { World } from '../../factories';
import type { Reply, TestClient } from '../clients';
import type { Transport, Fault, Outcome, Query, Scenario } from './scenario';

const PATHS: Readonly<Record<string, string>> = {
  service_users: '/users',
  service_roles: '/roles',
  service_policies: '/policies',
  service_access: '/access',
  service_permissions: '/permissions',
  service_settings: '/settings',
};

/** The documented status of each code. */
const STATUSES: Readonly<Record<string, number>> = {
  INVALID_PAYLOAD: 400,
  FAILED_VALIDATION: 400,
  INVALID_QUERY: 400,
  INVALID_FOREIGN_KEY: 400,
  RECORD_NOT_UNIQUE: 400,
  VALUE_TOO_LONG: 400,
  VALUE_OUT_OF_RANGE: 400,
  CATEGORY_CIRCLE: 400,
  NOT_NULL_VIOLATION: 400,
  INVALID_CREDENTIALS: 401,
  TOKEN_EXPIRED: 401,
  FORBIDDEN: 403,
};

export const restTransport: Transport = {
  name: 'REST',
  serves: () => true,
  async run(world: World, scenario: Scenario): Promise<Outcome> {
    const filled = world.fill(scenario);
    const reply = await send(world.as(scenario.caller), filled);
    const outcome = readOutcome(reply);
    expect(reply.status).toBe(statusOf(outcome));
    return outcome;
  },
};

const pathOf = (collection: string): string => PATHS[collection] ?? `/items/${collection}`;

function send(client: TestClient, scenario: Scenario): Promise<Reply> {
  const path = pathOf(scenario.collection);
  const query = renderQuery(scenario.query);
  switch (scenario.operation) {
    case 'list':
    case 'readSingleton':
      return client.get(path + query);
    case 'search':
      return client.send('SEARCH', path, { query: scenario.query });
    case 'one':
      return client.get(`${path}/${scenario.id}${query}`);
    case 'create':
    case 'createMany':
      return client.post(path + query, scenario.data);
    case 'update':
      return client.patch(`${path}/${scenario.id}${query}`, scenario.data);
    case 'updateMany':
      return client.patch(path + query, { keys: scenario.ids, data: scenario.data });
    case 'updateWhere':
      return client.patch(path + query, { query: scenario.where, data: scenario.data });
    case 'updateEach':
    case 'updateSingleton':
      return client.patch(path + query, scenario.data);
    case 'delete':
      return client.delete(`${path}/${scenario.id}`);
    case 'deleteMany':
      return client.delete(path, scenario.ids);
    case 'deleteWhere':
      return client.delete(path, { query: scenario.where });
  }
}

/** Lists separated by commas, objects as JSON. */
export function renderQuery(query: Query = {}): string {
  const parts = Object.entries(query).map(([name, value]: [string, unknown]) => {
    const plain = Array.isArray(value) ? value.join(',') : value;
    return `${name}=${encodeURIComponent(typeof plain === 'string' ? plain : JSON.stringify(plain))}`;
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

interface Body {
  readonly data?: unknown;
  readonly meta?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: Fault }[];
}

function readOutcome({ body, text }: Reply): Outcome {
  const { data, meta, errors = [] } = (body ?? {}) as Body;
  return { faults: errors.map(({ extensions }) => extensions), data, meta, text };
}

function statusOf({ faults, text }: Outcome): number {
  const [first] = faults;
  if (first) return STATUSES[first.code] ?? 0;
  return text === '' ? 204 : 200;
}
