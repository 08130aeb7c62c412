import type { Page } from 'playwright-core';
import { TEST_ADMIN } from './start-test-app';

async function fillSignIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show Sign in' }).click();
  await page.getByLabel('E-mail').fill(TEST_ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(TEST_ADMIN.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function signIn(page: Page): Promise<void> {
  await fillSignIn(page);
  await page.getByText(`Signed in as ${TEST_ADMIN.email}`).waitFor();
}

/** Puts the cursor into an operation. The editor renders only the lines that are visible. */
export async function select(page: Page, words: string): Promise<void> {
  await page.locator('.graphiql-query-editor .CodeMirror').evaluate((element, searched) => {
    const { CodeMirror: editor } = element as unknown as Edited;
    const at = editor
      .getValue()
      .split('\n')
      .findIndex((line) => line.includes(searched));
    editor.focus();
    editor.setCursor({ line: at, ch: 3 });
  }, words);
}

interface Edited {
  readonly CodeMirror: CodeMirror;
}

interface CodeMirror {
  getValue(): string;
  setValue(text: string): void;
  focus(): void;
  setCursor(at: { line: number; ch: number }): void;
}

const EDITORS = {
  query: '.graphiql-query-editor .CodeMirror',
  variables: '.graphiql-editor-tool .graphiql-editor:nth-child(1) .CodeMirror',
  headers: '.graphiql-editor-tool .graphiql-editor:nth-child(2) .CodeMirror',
};

/** The text of one of the editors. */
export const textOf = (page: Page, name: keyof typeof EDITORS): Promise<string> =>
  page
    .locator(EDITORS[name])
    .evaluate((element) => (element as unknown as Edited).CodeMirror.getValue());

/** Replaces what was searched for in the text of one of the editors. */
export async function edit(
  page: Page,
  name: keyof typeof EDITORS,
  searched: string | RegExp,
  value: string,
): Promise<void> {
  const text = await textOf(page, name);
  await page
    .locator(EDITORS[name])
    .evaluate(
      (element, changed) => (element as unknown as Edited).CodeMirror.setValue(changed),
      text.replace(searched, value),
    );
}

/** Runs the operation under the cursor, and returns the answer. */
export async function run(page: Page): Promise<string> {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.keyboard.press('Control+Enter');
  return (await answered).text();
}

export async function type(page: Page, text: string): Promise<void> {
  await page.locator('.graphiql-query-editor .CodeMirror').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}
