// What a stage takes from the package that is proven.
import { allow, deny } from 'inboard';
import { createIsolatedEnvironment, startScriptedModel, text, toolUse } from 'inboard/testing';

export async function createTools() {
  return { allow, deny, createIsolatedEnvironment, startScriptedModel, text, toolUse };
}
