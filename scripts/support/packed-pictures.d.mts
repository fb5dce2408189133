/** The files that a page shows, relative to the package's folder; addresses elsewhere are none. */
export function listPictures(path: string, page: string): string[];

/** The page without the pictures that are not among the packed files. */
export function leaveOutPictures(path: string, page: string, packed: ReadonlySet<string>): string;
