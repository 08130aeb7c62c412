import {
  getNamedType,
  type GraphQLField,
  type GraphQLSchema,
  isLeafType,
  isObjectType,
} from 'graphql';

/** What the editors show where introspection is off: it reveals no names. */
export const NEUTRAL_INITIAL_QUERY = '# Ctrl+Enter runs the operation that the cursor is in.\n';

/** The example that the editor at `/graphql/system` shows at first. */
export const SYSTEM_INITIAL_QUERY = `# Permissions, sign-in and users of this service.
#
# - Sign in with the key on the left: the token is
#   put under «Headers», and sent from then on.
# - Ctrl+Enter runs the operation that the cursor
#   is in, Ctrl+Space completes what you write.
# - The book on the left shows the whole schema.
#
# Here is an example of each operation on rules.

# Which rules are there?
query ListRules {
  permissions(sort: ["id"], limit: 20) {
    id
    collection
    action
    fields
    policy { id name }
  }
}

# One of them.
query OneRule {
  permissions_by_id(id: 1) {
    collection
    action
    permissions
    validation
    presets
    fields
  }
}

# What may I do?
query MyPermissions {
  permissions_me
}

# A rule, with a policy of its own: it lets people
# read two fields of their own account.
mutation CreateRule {
  create_permissions_item(
    data: {
      policy: { name: "Own account" }
      collection: "service_users"
      action: "read"
      permissions: { id: { _eq: "$CURRENT_USER" } }
      fields: ["email", "first_name"]
    }
  ) {
    id
    policy { id name }
  }
}

# Several at once. Answers above have the id of a
# policy.
mutation CreateRules {
  create_permissions_items(
    data: [
      {
        policy: "ID-OF-A-POLICY"
        collection: "service_roles"
        action: "read"
        fields: ["name"]
      }
      {
        policy: "ID-OF-A-POLICY"
        collection: "service_settings"
        action: "read"
        fields: ["project_name"]
      }
    ]
  ) {
    id
    collection
  }
}

mutation UpdateRule {
  update_permissions_item(
    id: 1
    data: { fields: ["email", "last_name"] }
  ) {
    id
    fields
  }
}

mutation UpdateRules {
  update_permissions_items(
    id: [2, 3]
    data: { fields: ["*"] }
  ) {
    id
    fields
  }
}

mutation DeleteRule {
  delete_permissions_item(id: 1) { id }
}

mutation DeleteRules {
  delete_permissions_items(ids: [2, 3]) { ids }
}

# Sign-in, as programs do it. With mode: session
# the answer is a cookie.
mutation SignIn {
  auth_login(
    email: "you@example.com"
    password: "PASSWORD"
    mode: json
  ) {
    access_token
    refresh_token
    expires
  }
}

# A refresh token can be used once.
mutation Refresh {
  auth_refresh(refresh_token: "REFRESH-TOKEN") {
    access_token
    refresh_token
  }
}

mutation SignOut {
  auth_logout(refresh_token: "REFRESH-TOKEN")
}

# The token comes in a mail, for which you ask with
# auth_password_request(email: "you@example.com").
mutation ResetPassword {
  auth_password_reset(
    token: "TOKEN-OF-THE-MAIL"
    password: "NEW-PASSWORD"
  )
}
`;

/** The same at `/graphql`, where the operations depend on the collections that are registered. */
export function itemsInitialQuery(schema: GraphQLSchema): string {
  const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(isList(schema));
  const [first] = lists;
  if (!first) return `${ITEMS}#\n# None is registered here.\n\nquery Nothing {\n  __typename\n}\n`;
  return `${ITEMS}
query List {
  ${first.name}(limit: 20) {
    ${leavesOf(first).join('\n    ')}
  }
}
`;
}

const ITEMS = `# Your own collections. Permissions, sign-in and
# users are at /graphql/system.
#
# - Sign in with the key on the left: the token is
#   put under «Headers», and sent from then on.
# - The book on the left shows the whole schema;
#   Ctrl+Space completes what you write.
`;

type Operation = GraphQLField<unknown, unknown>;

const isList =
  (schema: GraphQLSchema) =>
  ({ name }: Operation): boolean =>
    schema.getQueryType()?.getFields()[`${name}_by_id`] !== undefined;

/** A few fields that need no sub-selection. */
function leavesOf({ type }: Operation): string[] {
  const item = getNamedType(type);
  const fields = isObjectType(item) ? Object.values(item.getFields()) : [];
  return fields
    .filter((field) => isLeafType(getNamedType(field.type)))
    .map(({ name }) => name)
    .slice(0, 4);
}
