/** How many requests the judges of an evaluation may be sent. */
import { JestAdkError } from '../support/errors';

/** No request was sent: there was none left. */
export class BudgetSpent extends JestAdkError {
  constructor(most: number) {
    super('judge_budget', [{ code: 'judge_budget', message: `the judge was not asked: all ${most} requests of "maxJudgeCalls" are spent` }]);
  }
}

/** Counts requests down. */
export class CallBudget {
  private spent = 0;

  constructor(readonly most: number) {}

  /** @throws {BudgetSpent} when there is no request left */
  spend(): void {
    if (this.spent >= this.most) throw new BudgetSpent(this.most);
    this.spent += 1;
  }
}
