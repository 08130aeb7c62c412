/** One block of commands of a document and the block with their output; empty: none. */
export interface Step {
  commands: string;
  answer: string;
}

const SESSION = /<!-- session -->\n([\s\S]*?)<!-- end of session -->/g;
const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g;
/** Access and refresh tokens, whole or, as a document shows them, cut short with «…». */
const TOKEN = /"(?:eyJ[\w-]*(?:\.[\w-]+){2}|[0-9a-f-]{36}\.\d+\.[\w-]+|[\w.-]+…)"/g;

/**
 * The sessions of a Markdown document, in their order: whatever stands between `<!-- session -->` and
 * `<!-- end of session -->` is a row of `sh` blocks, each followed by a block (`json`, `text`) of what it prints.
 */
export function readSessions(markdown: string): Step[][] {
  return [...markdown.matchAll(SESSION)].map(([, text = '']) => {
    const steps: Step[] = [];
    for (const [, language, content = ''] of text.matchAll(BLOCK)) {
      const last = steps.at(-1);
      if (language === 'sh') steps.push({ commands: content, answer: '' });
      else if (last && last.answer === '') last.answer = content;
      else throw new Error(`An answer without a command:\n${content}`);
    }
    return steps;
  });
}

/** Compares answers of two runs: ids by the order in which they first appear, tokens and times only by their kind. */
export class Answers {
  private readonly ids = new Map<string, string>();

  normalise(answer: string): unknown {
    const text = answer
      .trim()
      .replace(TOKEN, '"<token>"')
      .replace(TIME, '<time>')
      .replace(UUID, (id) => this.nameOf(id));
    return /^[[{]/.test(text) ? JSON.parse(text) : text;
  }

  private nameOf(id: string): string {
    const name = this.ids.get(id) ?? `<id ${this.ids.size + 1}>`;
    this.ids.set(id, name);
    return name;
  }
}
