/** Where the package can be had. */
export interface Publication {
  isOnRegistry: boolean;
  repository: string;
}

export const PUBLICATION: Publication;

/** The pages that say how to install it. */
export const INSTALL_PAGES: readonly string[];

/** The fields of the manifest that lead readers to the project; none while there is no address. */
export function addressFields(publication: Pick<Publication, 'repository'>): Record<string, unknown>;

/** A page with its way to install as the publication has it, between its two marks. Throws where a mark is missing. */
export function fillInstallPart(page: string, publication: Pick<Publication, 'isOnRegistry'>): string;
