import { expect, test } from "bun:test";
import { detailLines, mainDetailLines } from "../../src/contract/words/detail-words.ts";

const details = {
  findings: [
    { rule: "credential", level: "reject", path: "a.ts", line: 3, message: "a token", blob: "ab" },
    { rule: "large_file", path: "b.bin", message: "11 MiB" },
  ],
  more_findings: 4,
  checks: [
    { name: "test", outcome: "failed", exit_code: 2 },
    { name: "lint", outcome: "timed_out", exit_code: null },
  ],
  remote: "No pushes\nremote: on Fridays.\n",
  output: "one\ntwo",
  paths: ["x", "y z"],
  nested: { file: "/a", holder: null, by: { pid: 7 } },
  kind: "locked",
  nothing: null,
};

test("what stands beside a failure is words, a line each, never JSON", () => {
  const lines = detailLines(details);
  expect(lines).toEqual([
    "credential a.ts:3: a token",
    "large_file b.bin: 11 MiB",
    "and 4 more findings",
    "check test: failed with exit code 2",
    "check lint: timed out",
    "remote: No pushes",
    "remote: on Fridays.",
    "output:",
    "  one",
    "  two",
    "paths: x, y z",
    "nested: file /a, by pid 7",
    "kind: locked",
  ]);
  expect(lines.join("\n")).not.toMatch(/[{}[\]"]/);
});

test("who waits for a run is told what was found and said, and nothing else", () => {
  expect(mainDetailLines({ paths: ["x"], remote: "No." })).toEqual(["remote: No."]);
  expect(mainDetailLines({ kind: "locked" })).toEqual([]);
});
