import type { Queries } from '../database';

/** The project's name, and the language of its mails and pages. */
export interface Project {
  readonly project_name: string;
  readonly default_language: string;
}

const READ = 'SELECT project_name, default_language FROM service_settings';

/**
 * Reads the current values.
 * @param queries those of a transaction, if there is one
 */
export async function readProject(queries: Queries): Promise<Project> {
  const [project] = await queries.query<Project>(READ);
  if (!project) throw new Error('There are no settings');
  return project;
}
