/** Prints the script that lets a shell complete commands, flags, agents and ids. */
import { ok } from "neverthrow";
import { wordArgument } from "../../shared/checked-value.ts";
import { defineCommand } from "../../shared/command.ts";

const SHELL = wordArgument("SHELL", "`bash`, `zsh` or `fish`", ["bash", "zsh", "fish"]);

export const completionsCommand = defineCommand({
  brief: "Print the script that completes command lines in bash, zsh or fish",
  args: [SHELL],
  async act(_scope, _flags, shell) {
    const script = COMPLETION_SCRIPTS[shell];
    return ok({ document: { shell, script }, text: script });
  },
});

const COMPLETION_SCRIPTS = {
  bash: `# tazuna completions for bash: source <(tazuna completions bash)
_tazuna() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _tazuna tazuna
`,
  zsh: `#compdef tazuna
# tazuna completions for zsh: source <(tazuna completions zsh), after compinit
_tazuna() {
  local line
  local -a shown
  for line in "\${(@f)$(\${words[1]} __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && shown+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#shown} )); then _describe tazuna shown; else _files; fi
}
compdef _tazuna tazuna
`,
  fish: `# tazuna completions for fish: tazuna completions fish | source
function __tazuna_complete
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  set -l found ($words[1] __complete $words[2..-1] "$typed" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$typed"
  end
end
complete -c tazuna -f -a '(__tazuna_complete)'
`,
} as const;
