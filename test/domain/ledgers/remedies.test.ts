/** Tells that the commands in remedies are harmless to copy, whatever an agent called its branches and references. */
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { explainRefs, explainRegistration } from "../../../src/domain/ledgers/explain-git.ts";
import { knownOf } from "../../../src/domain/ledgers/known.ts";
import { exec } from "../../../src/utils/exec.ts";
import { tally } from "../../helpers/tally.ts";
import { tempDir } from "../../helpers/temp-dir.ts";

const commonDir = "/p/it's $(>planted)/.git";
const database = {
  repositories: [],
  making: [],
  attempts: [],
  runs: [],
  putAside: [],
  unfinishedOperations: [],
  snapshots: [],
};
const known = knownOf({ root: "/data", enginePid: null, database, git: [], disk: [], processes: [] });

test.each([
  "refs/heads/tazuna/$(>planted)",
  "refs/heads/tazuna/;>planted",
  "refs/heads/tazuna/'&>planted&'",
  "refs/tazuna/snapshots/|>planted/1",
])("%s", async (name) => {
  tally("attack", "a branch that is called like a command of the shell, in a command to copy", {
    under: "guard",
  });
  await using dir = await tempDir();
  const [refs] = explainRefs({ commonDir, readable: true, registrations: [], refs: [name] }, known);
  const fact = { path: "/data/worktrees/x", main: false, branch: null, locked: false };
  const registration = explainRegistration(fact, commonDir, known);
  for (const { remedy } of [refs, registration].filter((each) => each !== undefined)) {
    const [, command = ""] = /`(git --git-dir=[^`]*)`/.exec(remedy ?? "") ?? [];
    expect(command).not.toBe("");
    const said = await exec(["sh", "-c", `git() { printf '%s\\n' "$1"; }; ${command}`], {
      cwd: dir.path,
      env: process.env,
    });
    expect(said).toMatchObject({ code: 0, stdout: `--git-dir=${commonDir}\n` });
    expect(await readdir(dir.path)).toEqual([]);
  }
});
