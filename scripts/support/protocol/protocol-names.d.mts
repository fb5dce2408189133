/** The names that the types have, read from the source. */
export const names: {
  /** The kinds of messages: `assistant`, `system/init`. */
  messages(): string[];
};
