/* Starts the page. After a sign-in, by «Authorize» or by trying `/auth/login`, it shows the document of that user. */
let token;
/** The text of the document that is shown. */
let shown;

// The page is next to `/server`, below whatever path a proxy serves both.
const root = new URL(location.pathname.endsWith('/') ? '../' : './', location.href);

const fault = document.createElement('p');
fault.setAttribute('role', 'alert');
fault.className = 'wrapper';
document.getElementById('docs').before(fault);

/** With an expired or wrong token the public document is shown, so that the user can sign in again. */
async function fetchDocument(url, request) {
  const first = await fetch(url, request);
  fault.textContent = faultOf(first, request);
  if (first.status === 401) forget(request.headers.Authorization);
  const response = first.status === 401 ? await fetch(url, { credentials: 'omit' }) : first;
  if (response.ok) shown = await response.clone().text();
  return response.ok || shown === undefined ? response : new Response(shown);
}

/** Unless another token was entered meanwhile. */
function forget(sent) {
  if (!token || sent !== `Bearer ${token}`) return;
  token = undefined;
  ui.authActions.logout(['token']);
}

function faultOf({ ok, status }, { headers }) {
  if (status === 401) {
    return headers.Authorization
      ? 'The token was not accepted: enter another one under «Authorize». Until then the page shows what anybody may do.'
      : '';
  }
  return ok ? '' : `The document could not be loaded (${status}). Load the page again.`;
}

const ui = globalThis.SwaggerUIBundle({
  url: new URL('server/specs/oas', root).href,
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (!request.loadSpec) return request;
    request.userFetch = fetchDocument;
    if (token) request.headers.Authorization = `Bearer ${token}`;
    return request;
  },
  responseInterceptor: (response) => {
    const given = response.ok && response.url.endsWith('/auth/login') && response.body?.data;
    if (given?.access_token) ui.preauthorizeApiKey('token', given.access_token);
    return response;
  },
});

ui.getStore().subscribe(() => {
  const given = ui.authSelectors.authorized()?.getIn(['token', 'value']);
  if (given === token) return;
  token = given;
  ui.specActions.download();
});
