import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RouteNotFound } from '../../common/errors';
import { AppConfig } from '../../config/app-config';
import { oidc } from './discovery';
import { ProviderClient } from './provider-client';

/** A provider as offered to people who sign in. */
export interface ProviderView {
  readonly name: string;
  readonly driver: 'openid';
  readonly label: string;
  /** The name of an icon from the configuration. */
  readonly icon: string | null;
}

/** The external providers of the configuration. */
@Injectable()
export class Providers implements OnApplicationBootstrap {
  private readonly clients: ReadonlyMap<string, ProviderClient>;

  constructor(config: AppConfig) {
    this.clients = new Map(
      config.authProviders.map((provider) => {
        const callback = new URL(`${config.publicUrl}/auth/login/${provider.name}/callback`).href;
        return [provider.name, new ProviderClient(provider, callback)];
      }),
    );
  }

  /** Node caches the failure of an `import()`, as when there are too many open files: sign-ins would fail from then on. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.clients.size > 0) await oidc();
  }

  /** @param sessionOnly leaves out providers whose sign-in ends in a refresh cookie */
  list(sessionOnly: boolean): ProviderView[] {
    return [...this.clients.values()]
      .map(({ provider }) => provider)
      .filter(({ mode }) => !sessionOnly || mode === 'session')
      .map(({ name, label, icon }) => ({ name, driver: 'openid', label, icon }));
  }

  /** @throws RouteNotFound for an unknown provider: each provider is a route */
  client(name: string): ProviderClient {
    const client = this.clients.get(name);
    if (!client) throw new RouteNotFound({ path: `/auth/login/${name}` });
    return client;
  }
}
