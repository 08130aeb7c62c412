export { as, replyOf, signIn } from '../../src/testing/clients';
export type { BaseUrl, Reply, TestClient, Tokens } from '../../src/testing/clients';
