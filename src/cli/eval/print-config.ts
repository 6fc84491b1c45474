import { settings as table, type Setting, type SettingName } from './settings-table';
import { isLlm } from '../../judge/source';
import { shownJson } from '../../support/secrets';
import { shown, type Settings } from './settings';

/** Every setting, its value and where that comes from; secrets as set or not set. */
export function settingLines(settings: Settings): readonly string[] {
  const rows = (table as readonly (Setting & { readonly name: SettingName })[]).map(({ name, secret }) => {
    const found = settings.sourced.get(name);
    const value = found === undefined ? 'not set' : secret === true ? 'set (not shown)' : typeof found.value === 'string' ? found.value : isLlm(found.value) ? found.value.model : typeof found.value === 'function' ? shown(found.value) : (shownJson(found.value) ?? '');
    return [name, value, found === undefined ? '' : found.source] as const;
  });
  const all = [['target', settings.target, ''] as const, ['evalSets', settings.paths.join(' '), ''] as const, ...rows];
  const [names, values] = [0, 1].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map(([name, value, source]) => `${name.padEnd(names ?? 0)}  ${value.padEnd(values ?? 0)}  ${source}`.trimEnd());
}
