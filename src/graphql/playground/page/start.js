/* Starts the editor on the endpoint whose page this is. */
const { GraphiQL, React, ReactDOM, withoutSecrets } = globalThis;
const h = React.createElement;

const root = document.getElementById('playground');
const { endpoint, initialQuery, nonce, system } = root.dataset;

// The scripts and styles that the editor adds need it: the page's policy refuses others.
globalThis.__webpack_nonce__ = nonce;

/** The endpoint of this page. Signing in goes to `system`, the endpoint of the service's own operations. */
const here = location.href.replace(/[?#].*$/, '');
const SIGN_IN = `mutation ($email: String!, $password: String!, $otp: String) {
  auth_login(email: $email, password: $password, otp: $otp, mode: json) { access_token refresh_token expires }
}`;
const SIGN_OUT = 'mutation ($token: String) { auth_logout(refresh_token: $token) }';

async function ask(query, variables) {
  const { data, errors } = await answerTo(JSON.stringify({ query, variables }));
  if (errors) throw new Error(errors[0].message);
  return data;
}

/** The browser's own message about a lost connection, or about a proxy's page instead of JSON, helps nobody. */
async function answerTo(body) {
  try {
    const response = await fetch(new URL(system, here), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      // Does not touch a session cookie of other pages.
      credentials: 'omit',
      body,
    });
    return await response.json();
  } catch {
    throw new Error('The service cannot be reached. Check your connection and try again.');
  }
}

function headersOf(text) {
  let headers;
  try {
    headers = JSON.parse(text.trim() || '{}');
  } catch {
    throw new Error('The text under «Headers» is not JSON: correct it first.');
  }
  if (headers === null || typeof headers !== 'object' || Array.isArray(headers)) {
    throw new Error('The text under «Headers» is not a JSON object: write {"Name": "value"}.');
  }
  return headers;
}

/** The text of the headers' editor with this token, or without any. */
function withToken(text, token) {
  const headers = headersOf(text);
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  const all = [...(token ? [['Authorization', `Bearer ${token}`]] : []), ...others];
  return all.length === 0 ? '' : JSON.stringify(Object.fromEntries(all), null, 2);
}

const field = (label, attributes) =>
  h('label', { key: attributes.name }, label, h('input', attributes));

const FIELDS = [
  field('E-mail', { name: 'email', type: 'email', autoComplete: 'username', required: true }),
  field('Password', {
    ...{ name: 'password', type: 'password', required: true },
    autoComplete: 'current-password',
  }),
  field('One-time password, if two-factor sign-in is on', {
    name: 'otp',
    autoComplete: 'one-time-code',
  }),
];

function SignIn({ session, onSession }) {
  const { headerEditor } = GraphiQL.React.useEditorContext({ nonNull: true });
  const [fault, setFault] = React.useState('');
  const isBusy = React.useRef(false);
  const show = (token) => {
    const headers = withToken(headerEditor.getValue(), token);
    headerEditor.setValue(headers);
    return headers;
  };
  const attempt = (work) => async (event) => {
    event.preventDefault();
    // A double click would sign in twice: nobody could end the first session, or the one-time password would be used up.
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      setFault('');
      await work(new FormData(event.target));
    } catch ({ message }) {
      setFault(message);
    } finally {
      isBusy.current = false;
    }
  };
  const signIn = attempt(async (form) => {
    withToken(headerEditor.getValue());
    const { email, password, otp } = Object.fromEntries(form);
    const { auth_login: given } = await ask(SIGN_IN, { email, password, otp: otp || null });
    const until = new Date(Date.now() + given.expires);
    onSession({ email, until, token: given.refresh_token, headers: show(given.access_token) });
  });
  const signOut = attempt(async () => {
    show();
    onSession(undefined);
    await ask(SIGN_OUT, { token: session.token });
  });
  const parts = session
    ? [
        h('p', { key: 'who' }, `Signed in as ${session.email}.`),
        h('p', { key: 'where' }, 'The token is under «Headers» of this tab, and of new ones.'),
        h('p', { key: 'until' }, `It expires at ${session.until.toLocaleTimeString()}.`),
      ]
    : FIELDS;
  return h(
    'form',
    { className: 'sign-in', onSubmit: session ? signOut : signIn },
    h('div', { className: 'graphiql-doc-explorer-title' }, 'Sign in'),
    ...parts,
    h(GraphiQL.React.Button, { type: 'submit' }, session ? 'Sign out' : 'Sign in'),
    fault && h('p', { role: 'alert' }, fault),
  );
}

const KEY =
  'M6.5 17a5 5 0 1 1 4.6-7H22v4h-2v3h-4v-3h-4.9a5 5 0 0 1-4.6 3zm0-3a2 2 0 1 0 0-4 2 2 0 0 0 0 4z';
const KeyIcon = () =>
  h('svg', { viewBox: '0 0 24 24', fill: 'currentColor' }, h('path', { d: KEY }));

const request = GraphiQL.createFetcher({ url: here });
/** The schema is the same for everyone, and is read without the token: an expired one would be refused. */
const describe = GraphiQL.createFetcher({
  url: here,
  fetch: (
    url,
    { headers: { Authorization: _none, authorization: _too, ...headers }, ...options },
  ) => fetch(url, { ...options, headers, credentials: 'omit' }),
});
const fetcher = (asked, options) =>
  (asked.operationName === 'IntrospectionQuery' ? describe : request)(asked, options);
const storage = withoutSecrets(
  GraphiQL.createLocalStorage({ namespace: `doorward:${endpoint}` }),
  initialQuery,
);
const defaultTabs = [{ query: initialQuery }];

const Session = React.createContext({});
const plugins = [
  {
    title: 'Sign in',
    icon: KeyIcon,
    content: () => h(SignIn, React.useContext(Session)),
  },
];

function Editor() {
  const [session, onSession] = React.useState();
  return h(
    Session.Provider,
    { value: { session, onSession } },
    h(GraphiQL, {
      fetcher,
      storage,
      plugins,
      defaultTabs,
      defaultQuery: '',
      ...(session && { defaultHeaders: session.headers }),
    }),
  );
}

ReactDOM.createRoot(root).render(h(Editor));
