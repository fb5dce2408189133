/** One part of a page: the sections it takes, and what the overview says of it. A part of several sections has a title. */
export interface PagePart {
  name: string;
  title?: string;
  intro?: string;
  sections: readonly string[];
  says: string;
}

/** Where the list of parts goes on the overview. */
export const PARTS_HERE: string;

/** The overview and its parts, by their paths. */
export function cutPage(page: {
  file: string;
  text: string;
  parts: readonly PagePart[];
}): Record<string, string>;
