interface WinstonLogger {
  readonly levels?: Readonly<Record<string, number>>;
  readonly transports?: readonly { readonly stderrLevels?: Record<string, boolean> }[];
}

/**
 * The SDK's own logger writes to stdout. Outside the sandbox that is the process's, where Jest's `--json` stands alone, so it is sent to
 * stderr instead. A logger that the user has set is left as it is; a private field is used, and without it nothing is changed.
 */
export function logToStderr(adk: object): void {
  const { getLogger } = adk as { readonly getLogger?: () => { readonly logger?: WinstonLogger } };
  const { levels = {}, transports = [] } = getLogger?.()?.logger ?? {};
  for (const { stderrLevels } of Array.isArray(transports) ? (transports as NonNullable<WinstonLogger['transports']>) : []) {
    if (stderrLevels !== undefined) for (const level of Object.keys(levels)) stderrLevels[level] = true;
  }
}
