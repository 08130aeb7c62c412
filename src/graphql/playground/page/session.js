/* The session that the page has signed in to. Access tokens last minutes; one that is refused is renewed once. */
{
  const SIGN_IN = `mutation ($email: String!, $password: String!, $otp: String) {
    auth_login(email: $email, password: $password, otp: $otp, mode: json) { access_token refresh_token }
  }`;
  const RENEW = `mutation ($token: String) {
    auth_refresh(refresh_token: $token, mode: json) { access_token refresh_token }
  }`;
  const SIGN_OUT = 'mutation ($token: String) { auth_logout(refresh_token: $token) }';
  const ENDED = 'Your session has ended: sign in again.';
  const UNREACHABLE = 'The service cannot be reached. Check your connection and try again.';

  /**
   * @param {URL} system the endpoint of the service's own operations
   */
  globalThis.createSession = (system) => {
    const listeners = new Set();
    /** All that this user was given here: tabs that were opened before a renewal have old ones. */
    const tokens = new Set();
    let owner;
    /** `user` is `{ email, access_token, refresh_token }`, or undefined while nobody is signed in. */
    let state = {};
    let renewing;

    function set(changed) {
      state = changed;
      if (state.user) tokens.add(state.user.access_token);
      for (const listener of listeners) listener();
    }

    async function ask(query, variables) {
      const { data, errors } = await answerTo(JSON.stringify({ query, variables }));
      if (!errors) return data;
      throw Object.assign(new Error(errors[0].message), { code: errors[0].extensions?.code });
    }

    /** The browser's own message about a lost connection, or about a proxy's page instead of JSON, helps nobody. */
    async function answerTo(body) {
      try {
        const response = await fetch(system, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          // Does not touch a session cookie of other pages.
          credentials: 'omit',
          body,
        });
        return await response.json();
      } catch {
        throw new Error(UNREACHABLE);
      }
    }

    async function renew() {
      const { user } = state;
      try {
        const { auth_refresh: given } = await ask(RENEW, { token: user.refresh_token });
        if (state.user === user) set({ user: { ...user, ...given } });
      } catch ({ code }) {
        // For any other reason, such as a lost connection, it may still last.
        if (code === 'INVALID_CREDENTIALS' && state.user === user) set({ notice: ENDED });
      }
    }

    /** A text in which tokens of the session are replaced by the present one. */
    const renewed = (text) =>
      state.user
        ? [...tokens].reduce((all, token) => all.replaceAll(token, state.user.access_token), text)
        : text;
    const hasToken = (headers) =>
      Object.values(headers).some((value) => [...tokens].some((token) => value.includes(token)));
    const withRenewed = (headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, renewed(value)]));

    return {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      state: () => state,
      renewed,
      async signIn(email, password, otp) {
        const { auth_login: given } = await ask(SIGN_IN, { email, password, otp });
        if (email !== owner) tokens.clear();
        owner = email;
        set({ user: { email, ...given } });
      },
      async signOut() {
        await renewing;
        const { user } = state;
        set({});
        if (user) await ask(SIGN_OUT, { token: user.refresh_token });
      },
      /** `fetch`: a request that is refused since its token has expired is sent again with a new one. */
      async fetch(url, { headers, ...options }) {
        const send = () => fetch(url, { ...options, headers: withRenewed(headers) });
        const sent = state.user;
        const response = await send();
        if (response.status !== 401 || !hasToken(headers)) return response;
        if (state.user === sent) await (renewing ??= renew().finally(() => (renewing = undefined)));
        if (!state.user || state.user === sent) return response;
        await response.body?.cancel();
        return send();
      },
    };
  };
}
