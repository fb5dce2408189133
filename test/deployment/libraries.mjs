// What scripts/check-manifests.mjs uses of the packages that are installed here.
export { parseAllDocuments } from 'yaml';

/** The classes of the objects of one version of an API, such as `apps/v1`, by kind. */
export async function loadKinds(apiVersion) {
  return await import(`kubernetes-models/${apiVersion}`);
}
