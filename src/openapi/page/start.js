/* Starts the page. Whoever signs in, by «Authorize» or by trying `/auth/login`, is shown the document that is theirs. */
let token;

// The page stands beside `/server`, below whatever path a proxy serves both.
const root = new URL(location.pathname.endsWith('/') ? '../' : './', location.href);

const ui = globalThis.SwaggerUIBundle({
  url: new URL('server/specs/oas', root).href,
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (request.loadSpec && token) request.headers.Authorization = `Bearer ${token}`;
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
