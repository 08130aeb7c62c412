/* What the editor saves in the browser: no password and no token, unless the user asks it to save the headers. */
{
  const SECRET = /auth_|passw|token|otp|secret|credential/i;
  const NOT_KEPT = '# This part is not saved by the browser.';
  /** Text in which braces mean nothing; an unfinished string ends with its line. */
  const QUIET = /"""(?:\\"""|[^])*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|#.*/g;

  /** The operations of a document, finished or not; joined by line ends they are the document again. */
  function piecesOf(text) {
    const bare = text.replace(QUIET, (quiet) => quiet.replace(/[^\n]/g, '_')).split('\n');
    const pieces = [[]];
    let depth = 0;
    text.split('\n').forEach((line, index) => {
      const [opened, closed] = [/[{([]/g, /[})\]]/g].map(
        (brackets) => bare[index].match(brackets)?.length ?? 0,
      );
      depth = Math.max(0, depth + opened - closed);
      pieces.at(-1).push(line);
      if (depth === 0 && (closed > 0 || bare[index].trim() === '')) pieces.push([]);
    });
    return pieces.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  }

  /**
   * @param storage GraphiQL's
   * @param {string} initialQuery its examples contain no secrets
   */
  globalThis.withoutSecrets = (storage, initialQuery) => {
    const isKept = (piece) => !SECRET.test(piece) || initialQuery.includes(piece);
    const cut = (query) =>
      query &&
      piecesOf(query)
        .map((piece) => (isKept(piece) ? piece : NOT_KEPT))
        .join('\n');
    // A run is saved whole or not at all.
    const runs = (key) => (kept) => ({
      [key]: kept[key]
        .filter(({ query }) => cut(query) === query)
        .map(({ headers: _headers, variables: _variables, ...run }) => run),
    });
    const tabs = ({ tabs: all, ...kept }) => ({
      ...kept,
      tabs: all.map((tab) => ({ ...tab, query: cut(tab.query), variables: null })),
    });
    const json = (change) => (value) => JSON.stringify(change(JSON.parse(value)));
    const changes = {
      query: cut,
      // Names do not show what is secret: `$p` may be a password.
      variables: () => undefined,
      tabState: json(tabs),
      queries: json(runs('queries')),
      favorites: json(runs('favorites')),
    };
    const nameOf = (key) => key.slice(key.indexOf(':') + 1);
    const setItem = (key, value) => {
      const change = changes[nameOf(key)];
      const kept = change ? change(value) : value;
      if (kept === undefined) storage.removeItem(key);
      else storage.setItem(key, kept);
    };
    // Saved by an older version, which saved everything.
    for (const name of Object.keys(changes)) {
      const key = `graphiql:${name}`;
      const value = storage.getItem(key);
      try {
        if (value !== null) setItem(key, value);
      } catch {
        storage.removeItem(key);
      }
    }
    return Object.setPrototypeOf({ setItem }, storage);
  };
}
