/** Items that a body may hold in a list, and as many nested in others: they are read in one go. */
export const MOST_ITEMS = 2_500;
