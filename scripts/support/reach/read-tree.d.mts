/** Every file that is there and not ignored: the text of those with code, and the paths of the others. */
export function readTree(root: string): { files: Map<string, string>; others: string[] };

/** What the working tree and the branch have changed since they left `base`; removed files are among it. */
export function listChanged(root: string, base: string): string[];
/** Whether a name stands for a commit in this checkout. */
export function isCommit(root: string, name: string): boolean;
