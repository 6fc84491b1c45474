export function run({ events, include_function_calls: withCalls = false }, { core }) {
  const { historyEntries } = core('simulation/user/history');
  const { contentFromJson } = core('evalset/parts');
  const { googleAdkProfile } = core('support/profile');
  const read = events.map(({ author, parts }) => ({ author, ...(parts === undefined ? {} : { content: contentFromJson({ parts }, googleAdkProfile) }) }));
  return { entries: historyEntries(read, withCalls).map(({ kind, author, text, tool }) => ({ kind, ...(author === undefined ? {} : { author }), ...(text === undefined ? {} : { text }), ...(tool === undefined ? {} : { tool }) })) };
}
