/** As a word of the page: `Active`. */
export const statusInWords = (status: string): string =>
  status.charAt(0).toUpperCase() + status.slice(1);
