import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type Handlebars from 'handlebars';
import { loadOnce } from '../common/load-once';
import { AppConfig } from '../config/app-config';
import { LAYOUT, type TemplateName, TEMPLATES } from './templates';

interface Rendered {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

type Values = Readonly<Record<string, string>>;

/** The length of one value in characters; the URL of a page may be long. */
const MAX_CHARACTERS = 4_000;

/** Renders a mail when it is queued: the same text is sent, whichever release sends it. */
@Injectable()
export class MailRenderer implements OnApplicationBootstrap {
  private readonly templates = loadOnce(() => CompiledTemplates.load());

  constructor(private readonly config: AppConfig) {}

  /** At the start, so that the transaction of the first mail takes no longer than others. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.config.mailTransport !== 'none') await this.templates();
  }

  /** @throws an Error where a value is missing that the template names */
  async render(template: TemplateName, values: Values): Promise<Rendered> {
    const compiled = await this.templates();
    const source = TEMPLATES[template];
    const plain = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, onOneLine(value)]),
    );
    const subject = compiled.text(source.subject, plain);
    const body = compiled.html(source.html, plain);
    return {
      subject,
      html: compiled.html(LAYOUT.html, { ...plain, subject, body }),
      text: compiled.text(LAYOUT.text, { ...plain, body: compiled.text(source.text, plain) }),
    };
  }
}

/** On a separate instance of Handlebars, without anyone else's helpers. */
class CompiledTemplates {
  private readonly compiled = new Map<string, Handlebars.TemplateDelegate>();

  private constructor(private readonly engine: typeof Handlebars) {}

  /** Loads Handlebars, which a service that sends no mails does not need. */
  static async load(): Promise<CompiledTemplates> {
    const { default: library } = await import('handlebars');
    return new CompiledTemplates(library.create());
  }

  html(source: string, values: Values): string {
    return this.compile(`html ${source}`, source, false)(values);
  }

  text(source: string, values: Values): string {
    return this.compile(`text ${source}`, source, true)(values);
  }

  private compile(key: string, source: string, noEscape: boolean): Handlebars.TemplateDelegate {
    const known = this.compiled.get(key);
    if (known) return known;
    const template = this.engine.compile<Values>(source, { strict: true, noEscape });
    this.compiled.set(key, template);
    return template;
  }
}

/** A name with line breaks could add lines of its own to a mail. */
export const onOneLine = (value: string): string =>
  value
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_CHARACTERS);
