import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import type { Recording } from '../line';

const typeDefs = `
  type Query { articles(limit: Int): [articles!] }
  type articles { id: ID title: String body: String status: String qty: Int price: String date_created: String }`;

let rows: readonly object[] = [];

process.on('message', ({ recording }: { recording: Recording }) => {
  rows = (JSON.parse(recording.body) as { data: { articles: object[] } }).data.articles;
  process.send?.('ready');
});

/** Apollo Server with its defaults, with the answer in memory and no database. */
async function start(): Promise<void> {
  const server = new ApolloServer({ typeDefs, resolvers: { Query: { articles: () => rows } } });
  const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } });
  console.log(`Bare Apollo is on ${url}`);
}

void start();
