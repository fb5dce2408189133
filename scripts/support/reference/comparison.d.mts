export const OPTION_DIFFERENCES: Readonly<Record<string, string>>;
export const METHOD_DIFFERENCES: Readonly<Record<string, string>>;
export const VALUE_DIFFERENCES: Readonly<Record<string, string>>;
