import { createDirectus, graphql, rest, staticToken } from '@directus/sdk';

interface Named {
  id: string;
  name: string;
}

interface Category {
  id: number;
  name: string;
  parent: Category | number | null;
}

interface Article {
  id: number;
  title: string;
  status: string;
  qty: number | null;
  price: string | null;
  published_at: 'datetime' | null;
  category: Category | number | null;
  tags: Named[] | string[];
  notes: Note[] | string[];
}

export interface Note {
  id: string;
  text: string;
  article: Article | number;
}

interface Schema {
  articles: Article[];
  categories: Category[];
  tags: Named[];
  notes: Note[];
  site: { id: number; name: string; tagline: string | null };
}

export const clientFor = (url: string, token: string) =>
  createDirectus<Schema>(url).with(staticToken(token)).with(rest()).with(graphql());

export type ArticlesClient = ReturnType<typeof clientFor>;
