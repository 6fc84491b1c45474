import { refusal } from '../support/errors';
import { didYouMean } from '../support/nearest';
import { type AdkApp, type AdkRunner, isAdk } from './adk-shapes';

/** Where agents come from; see `AgentSource`. */
interface Source {
  next(): object | Promise<object>;
  readonly first?: object | undefined;
}

interface AgentNode {
  readonly name: string;
  readonly subAgents?: readonly AgentNode[];
}

/**
 * The agents of a source narrowed to one agent of their tree. An `App` or a `Runner` keeps everything else it has, its plugins above all.
 *
 * @throws {JestAdkError} `no_sub_agent` when the first root is known and has no agent of that name; otherwise when a trial opens
 */
export function narrowedTo(source: Source, agentName: string): Source {
  const made = new WeakMap<object, object>();
  const narrow = (root: object): object => {
    const known = made.get(root) ?? narrowed(root, agentName);
    made.set(root, known);
    return known;
  };
  return { next: async () => narrow(await source.next()), first: source.first === undefined ? undefined : narrow(source.first) };
}

function narrowed(root: object, agentName: string): object {
  if (isAdk('app', root)) return Object.create(root, { rootAgent: { value: find((root as AdkApp).rootAgent, agentName), enumerable: true } }) as object;
  if (isAdk('runner', root)) return Object.create(root, { agent: { value: find((root as AdkRunner).agent, agentName), enumerable: true } }) as object;
  return find(root, agentName);
}

function find(root: AgentNode, agentName: string): AgentNode {
  const agents = treeOf(root);
  const found = agents.find(({ name }) => name === agentName);
  if (found !== undefined) return found;
  const names = agents.map(({ name }) => name);
  throw refusal('no_sub_agent', `There is no agent "${agentName}" in the tree of "${root.name}".`, didYouMean(agentName, names) ?? `It has ${names.join(', ')}.`);
}

function treeOf(agent: AgentNode): readonly AgentNode[] {
  return [agent, ...(agent.subAgents ?? []).flatMap(treeOf)];
}
