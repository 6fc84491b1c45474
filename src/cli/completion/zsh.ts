import type { CommandWords, FlagWords } from './words';

/** The script for zsh: to be evaluated, or saved as `_jest-adk` in a folder of `$fpath`. */
export function zshScript(commands: readonly CommandWords[]): string {
  const cases = commands.map(({ name, flags, words, takesPaths }) => {
    const specs = [...flags.flatMap(flagSpecs), ...(takesPaths ? [quoted('*:path:_files')] : words.length > 0 ? [quoted(`1:word:(${words.join(' ')})`)] : [])];
    return `    ${name})\n      _arguments ${specs.join(' \\\n        ')} ;;\n`;
  });
  return `#compdef jest-adk
# Completion of jest-adk for zsh, as \`jest-adk completion zsh\` prints it.
_jest_adk() {
  local -a commands=(
${commands.map(({ name, describe }) => `    ${quoted(`${name}:${describe.replace(/[\\:]/g, '\\$&')}`)}\n`).join('')}  )
  if (( CURRENT == 2 )); then
    if [[ $words[2] == -* ]]; then _arguments '--help[Show help]' '--version[Show version number]'; else _describe command commands; fi
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('')}  esac
}
if [[ $funcstack[1] == _jest-adk ]]; then _jest_adk "$@"; else compdef _jest_adk jest-adk; fi
`;
}

/** One spec of `_arguments` for each name; a flag may come again, since many are lists. */
function flagSpecs({ names, describe, takesValue, choices }: FlagWords): readonly string[] {
  const explained = `[${describe.replace(/[\\[\]:]/g, '\\$&')}]`;
  const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : ':value:_files';
  return names.map((name) => quoted(takesValue ? `*${name}${name.startsWith('--') ? '=' : '+'}${explained}${value}` : `${name}${explained}`));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
