/** Ids in JEST_ADK_ONLY, separated by commas; the whole as well, since an id may hold one. Undefined when it is not set. */
export function onlyFromEnvironment(): readonly string[] | undefined {
  const value = process.env['JEST_ADK_ONLY'] ?? '';
  const ids = [...new Set([value, ...value.split(',')].map((id) => id.trim()))].filter((id) => id !== '');
  return ids.length > 0 ? ids : undefined;
}
