import { describe, expect, test } from "bun:test";
import type { FindingDocument } from "../../src/contract/endpoints/repositories.ts";
import { cliWorld } from "../helpers/cli-world.ts";

const finding = (more: Partial<FindingDocument>): FindingDocument => ({
  id: "x",
  level: "ok",
  what: "All is well.",
  whose: null,
  why: null,
  bytes: null,
  path: null,
  remedy: null,
  ...more,
});

const COMMAND = `git -C '/home/u/my project' remote set-url origin ${"x".repeat(60)}`;
const FINDINGS: readonly FindingDocument[] = [
  finding({ what: "There is room on the disk.", bytes: 5 * 1024 ** 3 }),
  finding({
    level: "warning",
    what: 'The address of the remote "origin" carries a token.',
    whose: "repository project",
    why: `Every agent can read it${" and more".repeat(10)}.`,
    remedy: `\`${COMMAND}\`, and keep it in a credential helper.`,
  }),
  finding({ level: "info", what: "Not\u001b[31m asked." }),
  finding({ level: "error", what: "It is damaged." }),
];

describe("doctor", () => {
  test("tells by level, the gravest first; a command stays on one line", async () => {
    await using world = cliWorld({ entries: { doctor: async () => FINDINGS } });
    const { exit, out } = await world.start(["doctor"], { columns: 80, stdout: "terminal" }).ended;
    expect([exit, out.split("\n")]).toEqual([
      1,
      [
        "Errors",
        "  x It is damaged.",
        "",
        "Warnings",
        '  ! The address of the remote "origin" carries a token (repository project).',
        "    Every agent can read it and more and more and more and more and more and",
        "    more and more and more and more and more.",
        `    -> \`${COMMAND}\`,`,
        "       and keep it in a credential helper.",
        "",
        "To know",
        "  - Not asked.",
        "",
        "In order",
        "  + There is room on the disk (5.0 GiB).",
        "",
        "1 error, 1 warning. Nothing was changed.",
        "",
      ],
    ]);
  });

  test("is done well if nothing is an error, and starts no engine", async () => {
    const asked: string[] = [];
    const doctor = async (folder: string) => {
      asked.push(folder);
      return [finding({}), finding({ level: "warning" })];
    };
    await using world = cliWorld({ entries: { doctor } });
    const { exit, out } = await world.run("doctor", "--json");
    expect([exit, JSON.parse(out).findings.length, asked, world.connections]).toEqual([
      0,
      2,
      ["/home/me/shop"],
      [],
    ]);
  });

  test("says so if nothing is wrong", async () => {
    await using world = cliWorld({ entries: { doctor: async () => [finding({})] } });
    expect((await world.run("doctor")).out).toEndWith("\nNothing is wrong. Nothing was changed.\n");
  });
});
