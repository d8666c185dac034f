/** Reads the options of a subcommand out of git's own short help. */

export interface HelpedOption {
  /** As it is written: `-f`, `--force`. */
  readonly name: string;
  readonly takes: "nothing" | "value" | "maybe";
}

const LINE = /^ {4}(-.*?)(?: {2,}.*)?$/;

/** The lines `    -u, --untracked-files[=<mode>]`, `    --[no-]verbose`, `    -m <msg>`. */
export function optionsInHelp(help: string): readonly HelpedOption[] {
  return help.split("\n").flatMap((line) => {
    const text = LINE.exec(line)?.[1];
    if (text === undefined) return [];
    const maybe = /\[=|-\w\[</.test(text) || /^-\w\[/.test(text);
    const value = !maybe && /[ =](?:<|\(|\[\(|\{|\.\.\.|blob)/.test(text);
    const takes = maybe ? "maybe" : value ? "value" : "nothing";
    const names = [...text.matchAll(/(?:^|, )(--?)(\[no-\])?([\w-]+)/g)];
    return names.flatMap(([, dashes = "", no, name = ""]) => {
      const plain = { name: `${dashes}${name}`, takes } as const;
      return no === undefined ? [plain] : [plain, { name: `--no-${name}`, takes: "nothing" } as const];
    });
  });
}
