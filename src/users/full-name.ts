/** First and last name, as far as set; empty without either. */
export const fullName = ({
  first_name,
  last_name,
}: {
  readonly first_name: string | null;
  readonly last_name: string | null;
}): string => [first_name, last_name].filter((name) => name !== null && name !== '').join(' ');
