/** The status as the page shows it: `Active`. */
export const statusInWords = (status: string): string =>
  status.charAt(0).toUpperCase() + status.slice(1);
