import type { CommandWords } from './words';

/**
 * The script for bash, 3.2 (macOS) and newer.
 *
 * Bash cuts `--format=json` into three words, so that the flag of a value may stand one or two words before it.
 */
export function bashScript(commands: readonly CommandWords[]): string {
  const cases = commands.map(
    ({ name, flags, words, takesPaths }) => `    ${name})
      flags='${flags.flatMap(({ names }) => names).join(' ')}'
      words='${words.join(' ')}'
      paths=${takesPaths ? 1 : ''}
      case $flag in
${flags.filter(({ takesValue }) => takesValue).map(({ names, choices }) => `        ${names.join('|')}) takes_value=1; values='${choices.join(' ')}' ;;\n`).join('')}      esac ;;\n`,
  );
  return `# Completion of jest-adk for bash, as \`jest-adk completion bash\` prints it.
_jest_adk() {
  local current="\${COMP_WORDS[COMP_CWORD]}" flag='' command='' word flags='--help -h --version' words='' paths='' takes_value='' values=''
  COMPREPLY=()
  if [ "$current" = '=' ]; then current=''; flag="\${COMP_WORDS[COMP_CWORD-1]}"
  elif [ "\${COMP_WORDS[COMP_CWORD-1]}" = '=' ] && [ "$COMP_CWORD" -gt 2 ]; then flag="\${COMP_WORDS[COMP_CWORD-2]}"
  else flag="\${COMP_WORDS[COMP_CWORD-1]}"
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) command=$word; break ;; esac
  done
  case $command in
    '') words='${commands.map(({ name }) => name).join(' ')}' ;;
${cases.join('')}    *) return ;;
  esac
  if [ -n "$takes_value" ]; then
    if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$current")); else compopt -o default 2>/dev/null; fi
  elif [ "\${current#-}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [ -n "$paths" ]; then
    compopt -o default 2>/dev/null
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
if type compopt >/dev/null 2>&1; then complete -F _jest_adk jest-adk; else complete -o default -F _jest_adk jest-adk; fi
`;
}
