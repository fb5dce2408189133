// Advice about wrong arguments, options and schemas.
import type { Advice } from './advice.js';

export const OPTION_ADVICE: Advice<'InvalidOptionsError' | 'UnsupportedOptionError' | 'SchemaError'> = {
  InvalidOptionsError: {
    INVALID_OPTIONS: {
      when: 'An argument or option has the wrong shape, or two contradict each other. The function itself throws, or rejects, before anything is started.',
      advice: 'Correct the options that `options` names; the message says what each must be.',
    },
  },
  UnsupportedOptionError: {
    UNSUPPORTED_OPTION: {
      when: 'An option needs a newer CLI than the one found, and has no older form that means the same. Nothing is started.',
      advice: 'Update the CLI to `versionNeeded` or later, or leave the option out.',
    },
  },
  SchemaError: {
    SCHEMA_UNCONVERTIBLE: {
      when: 'The schema of a tool, a prompt or `output` cannot be converted to JSON Schema for the model. Thrown where the schema is defined.',
      advice: 'Change the part of the schema at `path`, or give the JSON Schema yourself.',
    },
  },
};
