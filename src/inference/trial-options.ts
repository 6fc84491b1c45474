/** How trials are run. */
import type { AppDetails, Content, EvalCase } from '../evalset/types';
import type { Clock } from '../support/clock';
import type { Environment } from '../simulation/environment/types';
import type { UserSimulator } from '../simulation/user/types';
import type { LimitOptions } from './limits';
import type { ActualInvocation, TrialRecord } from './types';

/** Which trial a hook is called for. */
export interface TrialInfo {
  readonly evalSetId: string;
  readonly evalId: string;
  /** Counts from 0. */
  readonly trial: number;
}

/** How trials are run; the same for all of an evaluation. */
export interface TrialOptions extends LimitOptions {
  /** App name of cases that do not say one; without it the target's own. */
  readonly appName?: string | undefined;
  /** User id of cases that do not say one; `test_user_id` without it. */
  readonly userId?: string | undefined;
  /** No time limits: a debugger is attached. */
  readonly unlimited?: boolean | undefined;
  /** The answer of a turn is the last final response of this author. */
  readonly finalResponseFrom?: string | undefined;
  /** The agents of a target that does not tell them. */
  readonly appDetails?: AppDetails | undefined;
  /** Makes what is sent of what the case says, e.g. reads the files it names; the record keeps what the case says. What it throws is the turn's error. */
  readonly prepareContent?: ((content: Content, trial: TrialInfo) => Content) | undefined;
  readonly beforeTrial?: ((trial: TrialInfo) => void | Promise<void>) | undefined;
  readonly afterTrial?: ((trial: TrialInfo, record: TrialRecord) => void | Promise<void>) | undefined;
  /** Answers for the tools of a trial; undefined where the tools themselves run. */
  readonly environmentFor?: ((evalCase: EvalCase, trial: TrialInfo) => Environment | undefined) | undefined;
  /** Plays the user of a case that has a scenario in place of written turns. */
  readonly userFor?: ((evalCase: EvalCase, trial: TrialInfo) => UserSimulator) | undefined;
  readonly onTurn?: ((trial: TrialInfo, turn: number, invocation: ActualInvocation) => void) | undefined;
  readonly clock?: Clock;
}
