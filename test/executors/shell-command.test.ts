import { expect, test } from "bun:test";
import { commandOfShell } from "../../src/executors/shared/shell-command.ts";

const table: readonly (readonly [string, string])[] = [
  ["/bin/bash -lc 'npm test'", "npm test"],
  [`bash -c "echo \\"a b\\" \\$HOME"`, 'echo "a b" $HOME'],
  [`/bin/bash -lc 'printf '"'"'x'"'"''`, "printf 'x'"],
  ["sh -c ls", "ls"],
  ["/bin/bash -lc 'a' 'b'", "/bin/bash -lc 'a' 'b'"],
  ["/bin/bash -lc 'open", "/bin/bash -lc 'open"],
  ["git status", "git status"],
  ["", ""],
];

for (const [line, command] of table)
  test(`people see ${JSON.stringify(command)} for ${JSON.stringify(line)}`, () => {
    expect(commandOfShell(line)).toBe(command);
  });
