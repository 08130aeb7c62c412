import { Injectable } from '@nestjs/common';
import Handlebars from 'handlebars';
import { LAYOUT, type TemplateName, TEMPLATES } from './templates';

export interface Rendered {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

type Values = Readonly<Record<string, string>>;

/** Characters of one value; an address of a page may be long. */
const MAX_CHARACTERS = 4_000;

/**
 * Renders a mail when it is queued: what stands in the queue is what is sent, whatever release sends it. On an instance of
 * Handlebars of its own, so that no helper of anybody else is there.
 */
@Injectable()
export class MailRenderer {
  private readonly engine = Handlebars.create();
  private readonly compiled = new Map<string, Handlebars.TemplateDelegate>();

  /** @throws where a value is missing that the template names */
  render(template: TemplateName, values: Values): Rendered {
    const source = TEMPLATES[template];
    const plain = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, onOneLine(value)]),
    );
    const subject = this.text(source.subject, plain);
    const body = this.html(source.html, plain);
    return {
      subject,
      html: this.html(LAYOUT.html, { ...plain, subject, body }),
      text: this.text(LAYOUT.text, { ...plain, body: this.text(source.text, plain) }),
    };
  }

  private html(source: string, values: Values): string {
    return this.compile(`html ${source}`, source, false)(values);
  }

  private text(source: string, values: Values): string {
    return this.compile(`text ${source}`, source, true)(values);
  }

  private compile(key: string, source: string, noEscape: boolean): Handlebars.TemplateDelegate {
    const known = this.compiled.get(key);
    if (known) return known;
    const made = this.engine.compile<Values>(source, { strict: true, noEscape });
    this.compiled.set(key, made);
    return made;
  }
}

/** A name with line breaks could write lines of its own into a mail of ours. */
export const onOneLine = (value: string): string =>
  value
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_CHARACTERS);
