import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

/** The mails that an application without a mail server has written, the oldest first. @param dataDir its `DATA_DIR` */
export async function outboxOf(dataDir: string): Promise<Email[]> {
  const folder = join(dataDir, 'outbox');
  const files = await readdir(folder).catch(() => []);
  const whole = files.filter((file) => file.endsWith('.eml')).toSorted();
  return Promise.all(
    whole.map(async (file) => PostalMime.parse(await readFile(join(folder, file)))),
  );
}
