/** The rules of the reader as SQL written by hand for only these rules. `$1` is always the caller. */
const VISIBLE = `(a.status = 'published' OR a.owner = $1)`;
const COLUMNS = `a.id, a.title, a.body, a.status, a.qty, a.price, a.owner, a.category, a.date_created`;

export const ONE_ARTICLE = `SELECT ${COLUMNS} FROM articles a WHERE a.id = $2 AND ${VISIBLE}`;

export const ARTICLES_LIST = `SELECT ${COLUMNS} FROM articles a WHERE ${VISIBLE} ORDER BY a.id LIMIT $2`;

/** With the names of its relations, if the caller may read them. */
export const ARTICLES_JOINED = `
  SELECT a.id, a.title, a.status, a.qty, a.price, c.id AS category, c.name AS category_name, o.id AS owner, o.first_name
  FROM (SELECT * FROM articles a WHERE ${VISIBLE} ORDER BY a.id LIMIT $2) a
  LEFT JOIN categories c ON c.id = a.category
  LEFT JOIN service_users o ON o.id = a.owner AND (o.status = 'active' OR o.id = $1)
  ORDER BY a.id`;

export const ARTICLES_OF_CATEGORY = `
  SELECT ${COLUMNS} FROM articles a JOIN categories c ON c.id = a.category
  WHERE ${VISIBLE} AND c.name = $3 ORDER BY a.id LIMIT $2`;

export const USERS_LIST = `
  SELECT id, email, first_name, last_name, status, role FROM service_users
  WHERE status = 'active' OR id = $1 ORDER BY id LIMIT $2`;

/** Updates the caller's own article: `$2` its key, `$3` the new number. For the floor, without a log. */
export const UPDATE_OWN = `
  UPDATE articles a SET qty = $3 WHERE a.id = $2 AND a.owner = $1 RETURNING ${COLUMNS}`;

/** The same with a log entry about the change. `$4`, `$5`: address and user agent. */
export const UPDATE_OWN_LOGGED = `
  WITH was AS (SELECT id, qty FROM articles WHERE id = $2 AND owner = $1 FOR UPDATE),
  a AS (
    UPDATE articles SET qty = $3 FROM was WHERE articles.id = was.id RETURNING articles.*, was.qty AS old
  ), logged AS (
    INSERT INTO service_activity (action, collection, item, fields, before, after, "user", ip, user_agent)
    SELECT 'update', 'articles', id::text, '{qty}', jsonb_build_object('qty', old), jsonb_build_object('qty', qty), $1, $4, $5
    FROM a WHERE old IS DISTINCT FROM qty
  )
  SELECT ${COLUMNS} FROM a`;

const INSERT_ARTICLE = `
  INSERT INTO articles AS a (title, body, status, qty, price, owner) VALUES ($2, $3, $4, $5, $6, $1)
  RETURNING ${COLUMNS}`;

/** `$7`, `$8`: address and user agent. */
export const INSERT_ARTICLE_LOGGED = `
  WITH a AS (${INSERT_ARTICLE}), logged AS (
    INSERT INTO service_activity (action, collection, item, fields, after, "user", ip, user_agent)
    SELECT 'create', 'articles', id::text, '{title,body,status,qty,price,owner}',
      jsonb_build_object('title', title, 'body', body, 'status', status, 'qty', qty, 'price', price, 'owner', owner),
      $1, $7, $8 FROM a
  )
  SELECT ${COLUMNS} FROM a`;

/** Inserts any number of rows, given as JSON. For the floor, without a log. */
export const INSERT_ARTICLES = `
  INSERT INTO articles AS a (title, body, status, qty, price, owner)
  SELECT title, body, status, qty, price, $1::uuid
  FROM json_to_recordset($2) AS sent (title text, body text, status text, qty int, price numeric)
  RETURNING ${COLUMNS}`;
