// Version 2 of the tables: large contents, kept once.

export const CONTENT_FUNCTIONS_2 = ``;
