/** The core, without Jest. Rooms add what they publish here; `index.ts` beside `src/` is the package's entry. */
export type * from './evalset/types';
export type * from './config/types';
export type * from './results/model';
export { JestAdkError, type ErrorInfo, type Problem } from './support/errors';
