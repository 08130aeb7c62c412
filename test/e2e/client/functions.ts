import * as sdk from '@directus/sdk';

/** Every function that the installed client has, in the order of their names. */
export const CLIENT_FUNCTIONS: readonly string[] = Object.entries(sdk)
  .filter(([, value]) => typeof value === 'function')
  .map(([name]) => name)
  .toSorted();

const CRUD = ['create', 'read', 'update', 'delete'] as const;
const crud = (one: string, many: string): string[] => [
  ...CRUD.flatMap((verb) => [`${verb}${one}`, `${verb}${many}`]),
  `update${many}Batch`,
];

/** Functions for users and permissions, all of which `people.test.ts` calls. */
export const PEOPLE: readonly string[] = [
  ...[...crud('User', 'Users'), ...crud('Role', 'Roles'), ...crud('Policy', 'Policies')],
  ...[...crud('Permission', 'Permissions'), 'readUserPermissions', 'readItemPermissions'],
  ...['readMe', 'updateMe', 'readRolesMe', 'readPolicyGlobals', 'readSettings', 'updateSettings'],
  ...['readActivity', 'readActivities', ...crud('Comment', 'Comments')],
  ...['registerUser', 'registerUserVerify', 'inviteUser', 'acceptUserInvite'],
];

/** Functions that another test calls, by its file. */
export const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'client/auth.test.ts': ['authentication', 'graphql', 'login', 'logout', 'refresh'],
  'client/password.test.ts': ['passwordRequest', 'passwordReset'],
  'client/two-factor.test.ts': [
    ...['generateTwoFactorSecret', 'enableTwoFactor', 'disableTwoFactor'],
  ],
  'client/articles-client.ts': ['staticToken'],
  'client/people.test.ts': ['createDirectus', 'rest', 'withToken'],
  'client/sdk.test.ts': [
    ...['createItem', 'createItems', 'readItem', 'readItems', 'readSingleton', 'aggregate'],
    ...['updateItem', 'updateItems', 'updateItemsBatch', 'updateSingleton', 'withSearch'],
    ...['deleteItem', 'deleteItems', 'readCollection', 'readCollections', 'readField'],
    ...['readFields', 'readFieldsByCollection'],
    ...['readRelation', 'readRelations', 'readRelationByCollection'],
  ],
  'auth.providers.test.ts': ['readProviders'],
  'health.test.ts': [
    ...['serverHealth', 'serverPing', 'serverInfo', 'readOpenApiSpec', 'readGraphqlSdl'],
  ],
};

/** Types of items that the service does not have. */
const UNSUPPORTED = [
  ...[
    'ContentVersion',
    'Dashboard',
    'Deployment',
    'Extension',
    'File',
    'Flow',
    'Folder',
    'Notification',
  ],
  ...['Operation', 'Panel', 'Preset', 'Revision', 'Share', 'Translation', 'Webhook'],
];
const FOR_UNSUPPORTED = new RegExp(
  `^(create|read|update|delete)(${UNSUPPORTED.join('|')})(s|sBatch)?$`,
);

/** Functions that the service does not support, by the reason. */
export const OUT_OF_SCOPE: Readonly<Record<string, readonly string[]>> = {
  'for types of items that the service does not have': CLIENT_FUNCTIONS.filter((name) =>
    FOR_UNSUPPORTED.test(name),
  ),
  'of versions, files, shares and flows': [
    ...['compareContentVersion', 'promoteContentVersion', 'saveToContentVersion', 'importFile'],
    ...['readAssetArrayBuffer', 'readAssetBlob', 'readAssetRaw', 'downloadFilesZip', 'uploadFiles'],
    ...['downloadFolderZip', 'authenticateShare', 'inviteShare', 'readShareInfo', 'triggerFlow'],
  ],
  'of deployments and registries': [
    ...['cancelDeployment', 'triggerDeployment', 'updateDeploymentProjects'],
    ...['readDeploymentDashboard', 'readDeploymentProject', 'readDeploymentProjects'],
    ...['readDeploymentRun', 'readDeploymentRuns', 'readDeploymentRunStats'],
    ...['readRegistryAccount', 'readRegistryExtension', 'readRegistryExtensions'],
    ...['installRegistryExtension', 'reinstallRegistryExtension', 'uninstallRegistryExtension'],
  ],
  'entities define the schema, and only migrations change it': [
    ...['createCollection', 'updateCollection', 'updateCollectionsBatch', 'deleteCollection'],
    ...['createField', 'updateField', 'updateFields', 'deleteField'],
    ...['createRelation', 'updateRelation', 'deleteRelation'],
    ...['schemaApply', 'schemaDiff', 'schemaSnapshot'],
  ],
  'no tools for content': [
    ...['clearCache', 'randomString', 'utilitySort', 'utilsImportBatch'],
    ...['utilsExport', 'utilsImport'],
  ],
  'no messages over sockets': [
    'realtime',
    'auth',
    'messageCallback',
    'pong',
    'generateUid',
    'sleep',
  ],
  'sends no request by itself': [
    ...['customEndpoint', 'formatFields', 'getAuthEndpoint', 'isDirectusError', 'memoryStorage'],
    ...['queryToParams', 'throwIfCoreCollection', 'throwIfEmpty', 'withOptions'],
  ],
};

/** Functions that work, but differently than with other servers, by the difference. */
export const DIFFERING: Readonly<Record<string, readonly string[]>> = {
  'policies of a user or a role are the ids of policies, not of access rows': [
    ...['createUser', 'createUsers', 'readUser', 'readUsers', 'updateUser', 'updateUsers'],
    ...['createRole', 'createRoles', 'readRole', 'readRoles', 'updateRole', 'updateRoles'],
  ],
  'a rule that could never work is refused': ['createPermission', 'createPermissions'],
  'access ends at once, not when the access token expires': ['logout'],
  'a many-to-many leads to the items at its far end, not to links': [
    ...['readItem', 'readItems', 'createItem', 'createItems', 'updateItem', 'updateItems'],
    ...['readRelation', 'readRelations', 'readRelationByCollection'],
  ],
  'callers who are not signed in get no report': ['readUserPermissions'],
  'it requires the current password': ['updateMe'],
};
