import { startChildServer } from './fake-server';

/** A scripted imitation of the Gemini API, in a process of its own. */
export interface FakeGemini {
  readonly url: string;
  /** Takes a script (see fake-gemini.mjs) and forgets what was seen. */
  script(script: object): Promise<void>;
  stats(): Promise<{ readonly total: number; readonly maxInFlight: number }>;
  stop(): Promise<void>;
}

/** Starts it; it ends with this process. */
export async function startFakeGemini(): Promise<FakeGemini> {
  const { url, stop } = await startChildServer('fake-gemini.mjs');
  return {
    url,
    stop,
    script: async (script) => {
      await fetch(`${url}/__reset`, { method: 'POST' });
      await fetch(`${url}/__script`, { method: 'POST', body: JSON.stringify(script) });
    },
    stats: async () => (await (await fetch(`${url}/__stats`)).json()) as { total: number; maxInFlight: number },
  };
}
