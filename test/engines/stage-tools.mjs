// What a stage takes from the package that is proven.
import { allow } from 'inboard';
import { createIsolatedEnvironment, startScriptedModel, text, toolUse } from 'inboard/testing';

export async function createTools() {
  return { allow, createIsolatedEnvironment, startScriptedModel, text, toolUse };
}
