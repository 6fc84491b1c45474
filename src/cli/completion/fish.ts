import type { CommandWords } from './words';

/** The script for fish. */
export function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, describe, flags, words, takesPaths }) => {
    const here = `complete -c jest-adk -n '__jest_adk_command ${name}'`;
    return [
      `complete -c jest-adk -n __jest_adk_no_command -f -a ${name} -d ${quoted(describe)}`,
      ...(takesPaths ? [`${here} -F`] : [`${here} -f${words.length > 0 ? ` -a ${quoted(words.join(' '))}` : ''}`]),
      ...flags.map((flag) => {
        const names = flag.names.map((each) => (each.startsWith('--') ? `-l ${each.slice(2)}` : `-s ${each.slice(1)}`)).join(' ');
        const value = !flag.takesValue ? '' : flag.choices.length > 0 ? ` -x -a ${quoted(flag.choices.join(' '))}` : ' -r -F';
        return `${here} ${names}${value} -d ${quoted(flag.describe)}`;
      }),
    ];
  });
  return `# Completion of jest-adk for fish, as \`jest-adk completion fish\` prints it.
function __jest_adk_no_command
  set -l words (commandline -opc)
  test (count $words) -eq 1
end
function __jest_adk_command
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test "$words[2]" = $argv[1]
end
complete -c jest-adk -n __jest_adk_no_command -f -s h -l help -d 'Show help'
complete -c jest-adk -n __jest_adk_no_command -f -l version -d 'Show version number'
${lines.join('\n')}
`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
