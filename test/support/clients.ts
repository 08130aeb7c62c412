export { as, replyOf, signIn } from '../../src/testing/clients';
export type { Reply, TestClient, Tokens } from '../../src/testing/clients';
