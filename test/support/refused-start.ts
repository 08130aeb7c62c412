interface Started {
  close(): Promise<unknown>;
}

/**
 * The error of a start that must be refused. An application that starts nevertheless is closed.
 * @throws Error if it starts
 */
export async function refusalOf(starting: Promise<Started>): Promise<Error> {
  const outcome = await starting.catch((error: unknown) => ({ error }));
  if ('error' in outcome) {
    if (outcome.error instanceof Error) return outcome.error;
    throw new Error('The start was refused by what is no Error', { cause: outcome.error });
  }
  await outcome.close();
  throw new Error('The application started, and its start should have been refused.');
}
