import { isAdk, walkTree } from './adk-shapes';

interface Held {
  count: number;
  readonly restore: () => void;
}

/** Toolsets whose `close()` is held back now, over all evaluations of the process. */
const held = new WeakMap<object, Held>();

/** Toolsets of a tree, those inside `AgentTool`s and workflows included. */
export function toolsetsOf(root: object): readonly object[] {
  return [...walkTree(root)].filter((value) => isAdk('toolset', value));
}

/**
 * Holds `close()` of a toolset back. A runner closes all toolsets after every turn, also those that a parallel case is using; while
 * it is held back, closing does nothing. Each call of `holdClose` needs one of `releaseClose`.
 */
export function holdClose(toolset: object): void {
  // A frozen one cannot be changed; its runners close it as they always do.
  if (!Object.isExtensible(toolset)) return;
  const known = held.get(toolset);
  if (known !== undefined) {
    known.count += 1;
    return;
  }
  const own = Object.getOwnPropertyDescriptor(toolset, 'close');
  const entry: Held = {
    count: 1,
    restore: () => {
      if (own === undefined) delete (toolset as { close?: unknown }).close;
      else Object.defineProperty(toolset, 'close', own);
    },
  };
  Object.defineProperty(toolset, 'close', {
    configurable: true,
    enumerable: false,
    writable: true,
    value: () => Promise.resolve(),
  });
  held.set(toolset, entry);
}

/** Ends one hold; the last one gives the toolset its own `close()` back and calls it. */
export async function releaseClose(toolset: object): Promise<void> {
  const entry = held.get(toolset);
  if (entry === undefined) return;
  entry.count -= 1;
  if (entry.count > 0) return;
  held.delete(toolset);
  entry.restore();
  const { close } = toolset as { close?: () => unknown };
  await close?.call(toolset);
}
