import type { Persona } from './types';

type Behavior = Persona['behaviors'][number];

function behavior(name: string, description: string, behaviorInstructions: readonly string[], violationRubrics: readonly string[]): Behavior {
  return { name, description, behaviorInstructions, violationRubrics };
}

/** What personas are made of. The texts are our own; ids and composition are google-adk's. */
const behaviors = {
  ADVANCE_DETAIL_ORIENTED: behavior(
    'Gives goal and details together',
    'Moves through the plan one request at a time and says everything that is needed for it at once.',
    ['When the last request is done, make the next one of the plan.', 'Put every detail the plan gives for a request into that request.'],
    ['The message leaves out details that the plan gives for its request.', 'The message asks for something that is already done or that the plan does not contain.'],
  ),
  ADVANCE_GOAL_ORIENTED: behavior(
    'Gives the goal and waits to be asked',
    'Moves through the plan one goal at a time and keeps details back until the agent asks.',
    ['When the last goal is reached, name the next one of the plan.', 'Name the goal only; give details when the agent asks for them.'],
    ['The message gives details that the agent has not asked for.', 'The message pursues more than one goal, or one that is already reached or not in the plan.'],
  ),
  ANSWER_RELEVANT_ONLY: behavior(
    'Answers what belongs to the plan',
    'Answers questions that serve the plan and declines the others.',
    ['Answer with what the plan says.', 'If a question has nothing to do with the plan, say that it does not matter here.'],
    ['The message answers a question that does not serve the plan.', 'The message makes up facts that the plan does not contain.'],
  ),
  ANSWER_ALL: behavior(
    'Answers every question',
    'Answers each question of the agent, also small talk, and admits what it does not know.',
    ['Answer each question from the plan.', 'Say so when the plan has no answer.'],
    ['A question of the agent stays without an answer.', 'The message makes up facts instead of admitting that they are unknown.'],
  ),
  CORRECT_AGENT: behavior(
    'Corrects mistakes',
    'Challenges a wrong or illogical statement of the agent.',
    ['If the agent misunderstood or got something wrong, say what is wrong and what is right.'],
    ['The agent made a mistake about the plan and the message passes over it.'],
  ),
  DO_NOT_CORRECT_AGENT: behavior(
    'Does not correct mistakes',
    'Cannot tell the agent what it got wrong, and leaves instead.',
    ['If the agent says something wrong or illogical, end the conversation with `{{ stop_signal }}`.'],
    ['The message corrects the agent.'],
  ),
  TROUBLESHOOT_ONCE: behavior(
    'Helps once after a failure',
    'Gives the agent one more chance after its first failure.',
    ['After the first failure, help: rephrase, add what is missing, or ask for another way.', 'After a second failure, do not help again.'],
    ['The message gives up at the first failure.', 'The message helps again after a second failure.'],
  ),
  END_LIMITED_TROUBLESHOOTING: behavior(
    'Ends when done or after two failures',
    'The conversation is over when all goals of the plan are confirmed, when a human takes over, or when the agent failed twice.',
    ['Write `{{ stop_signal }}` when the conversation is over, and not before.', 'Wait until the agent has confirmed the last goal.'],
    ['The conversation is over and the message has no `{{ stop_signal }}`.', 'The message has `{{ stop_signal }}` although the conversation is not over.'],
  ),
  END_NO_TROUBLESHOOTING: behavior(
    'Ends when done or at the first failure',
    'The conversation is over when all goals of the plan are confirmed, when a human takes over, or when the agent failed once. A question back is no failure.',
    ['Write `{{ stop_signal }}` when the conversation is over, and not before.', 'Wait until the agent has confirmed the last goal.'],
    ['The conversation is over and the message has no `{{ stop_signal }}`.', 'The message has `{{ stop_signal }}` although the conversation is not over.'],
  ),
  TONE_PROFESSIONAL: behavior(
    'Terse and technical',
    'Writes short, exact sentences in the language of the trade.',
    ['Be brief and exact.', 'Leave out greetings, thanks and chatter.'],
    ['The message is chatty or vague.'],
  ),
  TONE_CONVERSATIONAL: behavior(
    'Casual',
    'Writes as people talk to each other.',
    ['Write informally, as in a chat.', 'Avoid stiff or overly polite phrases.'],
    ['The message reads like a command or a business letter.'],
  ),
} satisfies Readonly<Record<string, Behavior>>;

function persona(id: string, description: string, ...names: readonly (keyof typeof behaviors)[]): [string, Persona] {
  return [id, { id, description, behaviors: names.map((name) => behaviors[name]) }];
}

const personas: ReadonlyMap<string, Persona> = new Map([
  persona(
    'EXPERT', 'Knows exactly what is wanted and how it is called, has little time and expects the agent to keep up.',
    'ADVANCE_DETAIL_ORIENTED', 'ANSWER_RELEVANT_ONLY', 'CORRECT_AGENT', 'TROUBLESHOOT_ONCE', 'END_LIMITED_TROUBLESHOOTING', 'TONE_PROFESSIONAL',
  ),
  persona(
    'NOVICE', 'Does not quite understand the problem, leans on the agent, is patient with questions and cannot tell when the agent is wrong.',
    'ADVANCE_GOAL_ORIENTED', 'DO_NOT_CORRECT_AGENT', 'ANSWER_ALL', 'END_NO_TROUBLESHOOTING', 'TONE_CONVERSATIONAL',
  ),
  persona(
    'EVALUATOR', 'Checks whether the agent can carry out the plan, and nothing else.',
    'ADVANCE_DETAIL_ORIENTED', 'ANSWER_RELEVANT_ONLY', 'END_NO_TROUBLESHOOTING', 'DO_NOT_CORRECT_AGENT', 'TONE_CONVERSATIONAL',
  ),
]);

/** The built-in persona of that id, which is matched exactly; undefined when there is none. */
export function builtInPersona(id: string): Persona | undefined {
  return personas.get(id);
}
