// The type of a row in the error guide, and which rows are required: one for each code of each class.
import type * as errors from '../../errors.js';
import type { OtherFailure } from '../../errors.js';

/** The advice about one code. */
export interface ErrorAdvice {
  when: string;
  advice: string;
  /** `retryable` of the error: always true, or true under this condition. Default: false. */
  retryable?: true | string;
}

type ErrorClasses = typeof errors;

/** The codes of a class; the base class has those that no other class has. */
type CodesOf<Name extends keyof ErrorClasses> = Name extends 'InboardError'
  ? OtherFailure
  : InstanceType<ErrorClasses[Name]>['code'];

/** The rows of all classes. */
export type ErrorGuide = { [Name in keyof ErrorClasses]: { [Code in CodesOf<Name>]: ErrorAdvice } };

/** The rows of some classes. */
export type Advice<Name extends keyof ErrorGuide> = Pick<ErrorGuide, Name>;
