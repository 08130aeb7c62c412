import { type SeedData, emailOf, PASSWORD, read, share, type World } from '../../factories';
import { as, signIn, TEST_ADMIN, type TestClient } from '../../support';

const SEEING = [read('service_roles', ['name'])];

/** At first nobody sees the roles. Each user can be given the right in a different way. */
export const SEED: SeedData = {
  policies: {
    ruled: [share('service_roles', ['name'])],
    netted: { rules: SEEING, ip_access: ['10.0.0.0/8'] },
    seeing: SEEING,
  },
  roles: { seer: { policies: ['seeing'] }, child: {} },
  users: {
    rita: { policies: ['ruled'] },
    paul: { policies: ['netted'] },
    anna: {},
    rob: { role: 'child' },
    una: {},
    sid: {},
  },
};

/** A change, and how any instance shows that it is in force there. */
export interface Change {
  readonly kind: string;
  readonly perform: () => Promise<unknown>;
  readonly look: (url: string) => Promise<number>;
  readonly expected: number;
}

type Step = readonly [method: 'post' | 'patch' | 'delete', path: string, body?: unknown];

interface Switch {
  readonly kind: string;
  readonly caller: string;
  readonly on: Step;
  readonly off: Step;
}

const ANNA = { query: { filter: { user: { _eq: '<anna>' } } } };

const SWITCHES: readonly Switch[] = [
  {
    ...{ kind: 'a rule', caller: 'rita' },
    on: ['patch', '/permissions/<ruled#1>', { action: 'read' }],
    off: ['patch', '/permissions/<ruled#1>', { action: 'share' }],
  },
  {
    ...{ kind: 'a policy', caller: 'paul' },
    on: ['patch', '/policies/<netted>', { ip_access: [] }],
    off: ['patch', '/policies/<netted>', { ip_access: ['10.0.0.0/8'] }],
  },
  {
    ...{ kind: 'an access row', caller: 'anna' },
    on: ['post', '/access', { policy: '<seeing>', user: '<anna>' }],
    off: ['delete', '/access', ANNA],
  },
  {
    ...{ kind: 'a role', caller: 'rob' },
    on: ['patch', '/roles/<child>', { parent: '<seer>' }],
    off: ['patch', '/roles/<child>', { parent: null }],
  },
  {
    ...{ kind: 'a user', caller: 'una' },
    on: ['patch', '/users/<una>', { role: '<seer>' }],
    off: ['patch', '/users/<una>', { role: null }],
  },
];

/** Makes changes on one instance. */
export class Changes {
  private readonly tokens = new Map<string, string>();
  private password = PASSWORD;

  private constructor(
    private readonly world: World,
    readonly url: string,
    private readonly admin: TestClient,
  ) {}

  static async on(url: string, world: World): Promise<Changes> {
    const { access_token } = await signIn({ url }, TEST_ADMIN);
    return new Changes(world, url, as({ url }, access_token));
  }

  /** Turns each switch this many times, on at first, and signs users out this many times in each way. */
  *all(switched: number, signedOut: number): Generator<() => Promise<Change>> {
    for (let time = 0; time < switched; time += 1) {
      for (const each of SWITCHES) yield () => this.turn(each, time % 2 === 0);
    }
    for (let time = 0; time < signedOut; time += 1) {
      yield () => this.signOut();
      yield () => this.suspend();
      yield () => this.changePassword();
      yield () => this.steal();
    }
  }

  /** Switches the rule of one user. */
  rule(on: boolean): Promise<Change> {
    return this.turn(SWITCHES[0] as Switch, on);
  }

  private async turn({ kind, caller, on, off }: Switch, isOn: boolean): Promise<Change> {
    const token = this.tokens.get(caller) ?? (await this.tokensOf(caller)).access_token;
    this.tokens.set(caller, token);
    return {
      kind,
      perform: () => this.do(isOn ? on : off),
      look: async (url) => (await as({ url }, token).get('/roles?limit=1')).status,
      expected: isOn ? 200 : 403,
    };
  }

  private async signOut(): Promise<Change> {
    const { access_token, refresh_token } = await this.tokensOf('sid');
    return this.ending('a sign-out', access_token, () =>
      as(this).post('/auth/logout', { refresh_token }),
    );
  }

  private async suspend(): Promise<Change> {
    await this.do(['patch', '/users/<sid>', { status: 'active' }]);
    const { access_token } = await this.tokensOf('sid');
    return this.ending('a suspension', access_token, () =>
      this.do(['patch', '/users/<sid>', { status: 'suspended' }]),
    );
  }

  private async changePassword(): Promise<Change> {
    await this.do(['patch', '/users/<sid>', { status: 'active' }]);
    const { access_token } = await this.tokensOf('sid');
    this.password = this.password === PASSWORD ? `${PASSWORD}-other` : PASSWORD;
    return this.ending('a new password', access_token, () =>
      this.do(['patch', '/users/<sid>', { password: this.password }]),
    );
  }

  /** A refresh token that was rotated more than ten seconds ago ends its family. */
  private async steal(): Promise<Change> {
    const refresh = (refresh_token: string): Promise<{ data: Record<string, unknown> }> =>
      as(this).post('/auth/refresh', { refresh_token });
    const { access_token, refresh_token } = await this.tokensOf('sid');
    await refresh(refresh_token);
    await this.world.app.database.query(
      `UPDATE service_sessions SET rotations =
         ARRAY(SELECT at - interval '11 seconds' FROM unnest(rotations) at)`,
    );
    return this.ending('a stolen token', access_token, () => refresh(refresh_token));
  }

  private ending(kind: string, token: string, perform: () => Promise<unknown>): Change {
    const look = async (url: string): Promise<number> =>
      (await as({ url }, token).get('/users/me')).status;
    return { kind, perform, look, expected: 401 };
  }

  private tokensOf(name: string): ReturnType<typeof signIn> {
    const password = name === 'sid' ? this.password : PASSWORD;
    return signIn(this, { email: emailOf(name), password });
  }

  private async do([method, path, body]: Step): Promise<void> {
    const reply = await this.admin[method](this.world.fill(path), this.world.fill(body));
    if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  }
}
