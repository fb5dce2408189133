// Version 2 of the tables: what is told to listeners, and who may look for due conversations.

export const NOTICE_FUNCTIONS_2 = ``;
