/** Keeps every command that is printed typable: it names real values, or none. */
import { expect, test } from "bun:test";
import { sourceFiles } from "./source-files.ts";

/** Words that stand for a value in the usage lines of help. */
const PLACEHOLDER =
  /\b(?:ADDRESS|ATTEMPT|BRANCH|CHECK|DIR|FILE|ID|INSTRUCTION|KEY|NAME|OPERATION|PATH|RULE|RUN|TASK|TEXT|URL|VALUE|WHY|\w+_PATH|\w+_PLACE)\b/;

/** What stands between backticks and begins with one of the two programs, in a string or a template. */
const COMMAND = /\\?`((?:cd \S+ && )?(?:tazuna|git) [^`\n]*?)\\?`/g;

/** Help is where placeholders belong; the other are words to an agent. */
const LEFT_OUT = new Set(["cli/root-help.ts", "domain/agent/merge-section.ts"]);

test("no command in a printed text has a placeholder", () => {
  const found = sourceFiles()
    .filter(({ path }) => !LEFT_OUT.has(path))
    .flatMap(({ path, text }) =>
      text
        .split("\n")
        .filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line))
        .flatMap((line) => [...line.matchAll(COMMAND)].map(([, command = ""]) => command))
        .filter((command) => PLACEHOLDER.test(command.replaceAll(/\$\{[^}]*\}/g, "")))
        .map((command) => `${path}: ${command}`),
    );
  expect(found).toEqual([]);
});
