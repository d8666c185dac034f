import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { OptionSpec, OptionTable } from "../../../src/domain/git-policy/parse/option-spec.ts";
import { SUBCOMMANDS } from "../../../src/domain/git-policy/tables/subcommands.ts";
import { gitSandbox, writeFiles } from "../../helpers/git-repo.ts";
import { tempDir } from "../../helpers/temp-dir.ts";
import { type HelpedOption, optionsInHelp } from "./own-help.ts";

/** Those that hand options to the machinery of `git log`. */
const READS_LOG_OPTIONS: ReadonlySet<string> = new Set([
  "log",
  "diff",
  "show",
  "blame",
  "shortlog",
  "reflog",
  "stash",
  "cherry-pick",
  "revert",
]);

interface Form {
  /** Subcommand and verb. */
  readonly words: readonly string[];
  readonly options: OptionTable;
}

const FORMS: readonly Form[] = Object.entries(SUBCOMMANDS).flatMap(([name, table]): Form[] => {
  if ("options" in table) return [{ words: [name], options: table.options }];
  return [...table.verbs].flatMap(([verb, one]) =>
    "options" in one ? [{ words: [name, verb], options: one.options }] : [],
  );
});

/** What git says of itself here; nothing is known of a verb that this git does not have. */
async function helpOf(cwd: string, words: readonly string[]): Promise<string> {
  const child = Bun.spawn(["git", ...words, "-h"], {
    cwd,
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1", HOME: cwd },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return stdout + stderr;
}

/** Whether the table would take the same words for values as git does. */
function agrees({ takes }: HelpedOption, spec: OptionSpec): boolean {
  if (takes === "nothing" || takes === "maybe") return spec.takes === takes;
  return ["value", "stuck", "unless-last"].includes(spec.takes);
}

/** The git whose options the tables were read from; a later one may know more, which are then refused. */
const GIT = Bun.spawnSync(["git", "--version"]).stdout.toString().trim().split(" ").at(2) ?? "";
const MEASURED = GIT.startsWith("2.39.");

describe("the option tables", () => {
  test(`never take a word for a value unless git ${GIT} does${MEASURED ? ", and know every option of its help" : " (all options are compared with git 2.39 only)"}`, async () => {
    await using dir = await tempDir();
    const gaps: string[] = [];
    let seen = 0;
    for (const { words, options } of FORMS) {
      for (const option of optionsInHelp(await helpOf(dir.path, words))) {
        seen += 1;
        const spec = options.get(option.name);
        if (spec === undefined) {
          if (MEASURED) gaps.push(`git ${words.join(" ")} ${option.name} is not in the table`);
        } else if (!agrees(option, spec) && (MEASURED || option.takes !== "value"))
          gaps.push(`git ${words.join(" ")} ${option.name} takes ${option.takes}, not ${spec.takes}`);
      }
    }
    expect(gaps).toEqual([]);
    expect(seen).toBeGreaterThan(400);
  });

  test("no option takes a word for its value that git obeys instead", async () => {
    await using box = await gitSandbox();
    const repository = await box.repository("values");
    await writeFiles(repository, { "README.md": "changed" });
    await box.git(repository, ["stash"]);
    const made = `${box.root}/made`;
    // A command that reads the options of `git log` makes this file as soon as the word is an option.
    const asWord = `--output=${made}`;
    const obeyed: string[] = [];
    let tried = 0;
    for (const { words, options } of FORMS.filter(({ words: [name = ""] }) => READS_LOG_OPTIONS.has(name))) {
      for (const [name, { takes, effect }] of options) {
        if (effect !== "none" || (takes !== "value" && takes !== "unless-last")) continue;
        tried += 1;
        await box.git(repository, [...words, name, asWord]).catch(() => undefined);
        if (!existsSync(made)) continue;
        obeyed.push([...words, name].join(" "));
        await rm(made);
      }
    }
    expect(obeyed).toEqual([]);
    expect(tried).toBeGreaterThan(200);
  }, 60_000);

  test("an option that is refused on purpose says why", () => {
    const silent = FORMS.flatMap(({ words, options }) =>
      [...options].flatMap(([name, { effect }]) =>
        typeof effect === "object" && (effect.why.because === "" || effect.why.rule === "")
          ? [`${words.join(" ")} ${name}`]
          : [],
      ),
    );
    expect(silent).toEqual([]);
  });
});

describe("the reader of git's help", () => {
  test("sees names, negations and how values are taken", () => {
    const help = [
      "usage: git x [<options>]",
      "    -v, --verbose         be verbose",
      "    --[no-]quiet          be quiet",
      "    -u, --untracked-files[=<mode>]",
      "    -F, --file <file>     read message",
      "    -w[<w>[,<i1>]]        wrap",
      "    --diff-filter [(A|C)...[*]]",
    ].join("\n");
    expect(optionsInHelp(help)).toEqual([
      { name: "-v", takes: "nothing" },
      { name: "--verbose", takes: "nothing" },
      { name: "--quiet", takes: "nothing" },
      { name: "--no-quiet", takes: "nothing" },
      { name: "-u", takes: "maybe" },
      { name: "--untracked-files", takes: "maybe" },
      { name: "-F", takes: "value" },
      { name: "--file", takes: "value" },
      { name: "-w", takes: "maybe" },
      { name: "--diff-filter", takes: "value" },
    ]);
  });
});
