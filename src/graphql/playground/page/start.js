/* Starts the editor on the endpoint whose page this is. */
const { GraphiQL, React, ReactDOM, createSession, withoutSecrets } = globalThis;
const h = React.createElement;

const root = document.getElementById('playground');
const { endpoint, initialQuery, nonce, system } = root.dataset;

// The scripts and styles that the editor adds need it: the page's policy refuses others.
globalThis.__webpack_nonce__ = nonce;

/** The endpoint of this page. Signing in goes to `system`, the endpoint of the service's own operations. */
const here = location.href.replace(/[?#].*$/, '');
const session = createSession(new URL(system, here));

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

/** Those of the tab in which somebody signed in, without the token. */
let headersOfNewTabs = '';

const useSession = () => React.useSyncExternalStore(session.subscribe, session.state);

function SignIn() {
  const { headerEditor } = GraphiQL.React.useEditorContext({ nonNull: true });
  const { user, notice } = useSession();
  const [fault, setFault] = React.useState('');
  const isBusy = React.useRef(false);
  const show = (token) => headerEditor.setValue(withToken(headerEditor.getValue(), token));
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
    // Refuses headers that are not JSON before anything is sent.
    const headers = withToken(headerEditor.getValue());
    const { email, password, otp } = Object.fromEntries(form);
    headersOfNewTabs = headers;
    await session.signIn(email, password, otp || null);
    show(session.state().user.access_token);
  });
  const signOut = attempt(async () => {
    show();
    await session.signOut();
  });
  const parts = user
    ? [
        h('p', { key: 'who' }, `Signed in as ${user.email}.`),
        h('p', { key: 'where' }, 'The token is under «Headers» of this tab, and of new ones.'),
        h('p', { key: 'until' }, 'It is renewed when it has expired.'),
      ]
    : FIELDS;
  return h(
    'form',
    { className: 'sign-in', onSubmit: user ? signOut : signIn },
    h('div', { className: 'graphiql-doc-explorer-title' }, 'Sign in'),
    ...parts,
    h(GraphiQL.React.Button, { type: 'submit' }, user ? 'Sign out' : 'Sign in'),
    (fault || notice) && h('p', { role: 'alert' }, fault || notice),
  );
}

/** Shows a renewed token under «Headers» of the open tab. */
function RenewedToken() {
  const { headerEditor, activeTabIndex } = GraphiQL.React.useEditorContext({ nonNull: true });
  const { user } = useSession();
  React.useEffect(() => {
    const text = headerEditor?.getValue() ?? '';
    const renewed = session.renewed(text);
    if (renewed !== text) headerEditor.setValue(renewed);
  }, [headerEditor, activeTabIndex, user]);
  return null;
}

const toolbar = { additionalComponent: RenewedToken };

const KEY =
  'M6.5 17a5 5 0 1 1 4.6-7H22v4h-2v3h-4v-3h-4.9a5 5 0 0 1-4.6 3zm0-3a2 2 0 1 0 0-4 2 2 0 0 0 0 4z';
const KeyIcon = () =>
  h('svg', { viewBox: '0 0 24 24', fill: 'currentColor' }, h('path', { d: KEY }));

const request = GraphiQL.createFetcher({ url: here, fetch: session.fetch });
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

const plugins = [{ title: 'Sign in', icon: KeyIcon, content: SignIn }];

function Editor() {
  const { user } = useSession();
  const defaultHeaders = user && withToken(headersOfNewTabs, user.access_token);
  return h(GraphiQL, {
    ...{ fetcher, storage, plugins, toolbar, defaultTabs },
    defaultQuery: '',
    ...(user && { defaultHeaders }),
  });
}

ReactDOM.createRoot(root).render(h(Editor));
