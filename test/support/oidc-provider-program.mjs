// A real provider of OpenID Connect, in a process of its own: `node oidc-provider-program.mjs <callback>` prints its issuer.
// Whoever types a name is that person; of `unverified` the e-mail is not verified.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [, , callback] = process.argv;
const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  server.on('request', providerOf(issuer).callback());
  console.log(`issuer ${issuer}`);
});

function providerOf(issuer) {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'doorward',
        client_secret: 'the-secret-of-the-browser-test',
        redirect_uris: [callback],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    cookies: { keys: ['of the test'] },
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => claimsOf(accountId) }),
  });
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next();
    return interact(provider, context);
  });
  return provider;
}

const claimsOf = (sub) => ({
  sub,
  email: `${sub}@example.com`,
  email_verified: sub !== 'unverified',
  given_name: sub,
  family_name: 'Lee',
});

async function interact(provider, context) {
  const { req, res } = context;
  const { prompt, params, session, grantId } = await provider.interactionDetails(req, res);
  if (req.method === 'GET') {
    context.type = 'html';
    context.body = pageOf(prompt.name);
    return;
  }
  if (prompt.name === 'login') {
    const accountId = new URLSearchParams(await textOf(req)).get('name');
    await provider.interactionFinished(req, res, { login: { accountId } });
  } else {
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    grant.addOIDCScope('openid email profile');
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(req, res, { consent }, { mergeWithLastSubmission: true });
  }
  context.respond = false;
}

const pageOf = (prompt) => `<!doctype html><title>Provider</title><form method="post">
  ${prompt === 'login' ? '<label>Name <input name="name"></label>' : 'May they know who you are?'}
  <button>Go on</button></form>`;

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
