// The types of the error guide. They require one row for each code of each class.
import type * as errors from '../../errors.js';
import type { OtherFailure } from '../../errors.js';

/** The advice about one code. */
export interface ErrorAdvice {
  when: string;
  advice: string;
  /** When the error's `retryable` is true: always (`true`), or under this condition. Default: never. */
  retryable?: true | string;
}

type ErrorClasses = typeof errors;

/** The codes of a class. The base class has the codes that no other class has. */
type CodesOf<Name extends keyof ErrorClasses> = Name extends 'InboardError'
  ? OtherFailure
  : InstanceType<ErrorClasses[Name]>['code'];

/** The rows of all classes. */
export type ErrorGuide = { [Name in keyof ErrorClasses]: { [Code in CodesOf<Name>]: ErrorAdvice } };

/** The rows of some classes. */
export type Advice<Name extends keyof ErrorGuide> = Pick<ErrorGuide, Name>;
