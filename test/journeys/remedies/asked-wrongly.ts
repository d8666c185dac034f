/** Asks for tasks with wrong flags, settings and folders, and follows what each refusal says. */
import { expect } from "bun:test";
import { appendFile, chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ownPath } from "../../helpers/own-path.ts";
import type { Product } from "../../helpers/product.ts";
import type { Obey, Scene } from "./obey.ts";

const RUN = ["run", "Change it", "--agent", "doer", "--detach"];

async function program(path: string): Promise<void> {
  await writeFile(path, "#!/bin/sh\necho one > one.txt\n");
  await chmod(path, 0o755);
}

export const ASKED_WRONGLY: readonly Scene[] = [
  {
    title: "wrong flags",
    codes: [
      "agent_without_command",
      "no_agent",
      "options_conflict",
      "branch_for_one_agent",
      "branch_missing",
      "branch_checked_out",
      "demo_failed",
    ],
    async play(product, obey) {
      await product.agent("doer", "echo one > one.txt");
      await product.sandbox.git(product.repository, ["branch", "release"]);
      await obey({
        code: "agent_without_command",
        args: ["run", "x", "--agent", "command", "--detach"],
        person: () => program(join(product.home, "my-agent")),
        type: "commands",
      });
      await obey({
        code: "agent_without_command",
        args: ["run", "x", "--agent", "command", "--detach"],
        says: "`--agent my-agent`",
        type: "corrected",
      });
      await obey({ code: "no_agent", args: ["run", "x", "--detach"], says: "doer", type: "corrected" });
      await obey({
        code: "options_conflict",
        args: [...RUN, "--from-worktree", "--base", "main"],
        type: "corrected",
      });
      const two = ["run", "x", "--detach", "--agent", "doer", "--agent", "doer", "--branch", "release"];
      await obey({ code: "branch_for_one_agent", args: two, type: "corrected" });
      await obey({
        code: "branch_missing",
        args: [...RUN, "--branch", "relaese"],
        says: "release",
        type: "corrected",
      });
      await obey({
        code: "branch_missing",
        args: [...RUN, "--branch", "nothing-alike"],
        says: /leave out/,
        type: "again",
        person: () => product.sandbox.git(product.repository, ["branch", "nothing-alike"]),
      });
      await obey({ code: "branch_checked_out", args: [...RUN, "--branch", "main"], type: "corrected" });
      await obey({ code: "no_agent", args: ["run", "x", "--detach"], type: "first" });
      const demos = join(product.home, "demos");
      await writeFile(demos, "");
      await obey({
        code: "demo_failed",
        args: ["demo"],
        person: () => rm(demos),
        type: "again",
      });
      await obey({ code: "bad_cursor", args: ["list", "--cursor", "x"], type: "corrected" });
    },
  },
  {
    title: "wrong settings",
    codes: ["bad_configuration"],
    async play(product, obey) {
      await product.agent("doer", "echo one > one.txt");
      const own = join(product.repository, ".tazuna", "config.json");
      await mkdir(join(own, ".."), { recursive: true });
      const put = (path: string, values: object) => writeFile(path, JSON.stringify(values));
      const home = join(product.home, "config.json");
      await product.configure({ branch: "a..b" });
      const set = () => product.configure({ branch: "tazuna/{id8}" });
      await obey({ code: "bad_configuration", args: RUN, says: home, person: set, type: "again" });
      const env = { TAZUNA_BRANCH: "a..b" };
      await obey({
        code: "bad_configuration",
        args: RUN,
        where: { env },
        says: "Correct TAZUNA_BRANCH",
        person: async () => Object.assign(env, { TAZUNA_BRANCH: "" }),
        type: "again",
      });
      await put(own, { limts: {} });
      await obey({
        code: "bad_configuration",
        args: RUN,
        says: own,
        person: () => put(own, { limits: {} }),
        type: "again",
      });
    },
  },
  {
    title: "wrong folders",
    codes: [
      "not_a_repository",
      "unusable_path",
      "git_failed",
      "git_missing",
      "repository_known",
      "another_repository",
      "ambiguous_id",
    ],
    async play(product, obey) {
      await product.agent("doer", "echo one > one.txt");
      const { repository, sandbox } = product;
      const above = join(repository, "..");
      const plain = join(above, "a plain folder");
      await mkdir(plain);
      await obey({ code: "not_a_repository", args: RUN, where: { cwd: plain }, type: "commands and again" });
      const odd = join(above, "two\nlines");
      await sandbox.git(above, ["clone", "--quiet", product.origin, odd]);
      const where = { cwd: odd };
      await obey({
        code: "unusable_path",
        args: RUN,
        where,
        type: "again",
        person: async () => {
          await rename(odd, join(above, "one line"));
          where.cwd = join(above, "one line");
        },
      });
      const config = join(repository, ".git", "config");
      const whole = await readFile(config, "utf8");
      await appendFile(config, "[core\n");
      await obey({ code: "git_failed", args: RUN, person: () => writeFile(config, whole), type: "again" });
      const PATH = await ownPath(join(above, "without git"), ["git"]);
      const env = { PATH };
      await obey({
        code: "git_missing",
        args: RUN,
        where: { env },
        person: async () => Object.assign(env, { PATH: product.env.PATH ?? "" }),
        type: "again",
      });
      if (process.getuid?.() === 0) await ownedByAnother(product, obey);
      await movedRepositories(product, obey);
    },
  },
];

/** Only root can make one. */
async function ownedByAnother(product: Product, obey: Obey): Promise<void> {
  const cwd = join(product.repository, "..", "another's");
  await product.sandbox.git(join(cwd, ".."), ["clone", "--quiet", product.origin, cwd]);
  await Bun.$`chown -R 65534 ${cwd}`;
  await obey({ code: "unsafe_ownership", args: RUN, where: { cwd }, type: "commands and again" });
}

/** A second repository of the same name, one that is there already, and one that is unrelated. */
async function movedRepositories(product: Product, obey: Obey): Promise<void> {
  const { repository, sandbox, origin } = product;
  const above = join(repository, "..");
  const [twin, other, moved] = ["twins/project", "other", "moved"].map((name) => join(above, name)) as [
    string,
    string,
    string,
  ];
  await sandbox.git(above, ["clone", "--quiet", origin, twin]);
  await sandbox.git(above, ["init", "--quiet", other]);
  await sandbox.git(other, ["commit", "--quiet", "--allow-empty", "-m", "Other"]);
  await product.tazuna(["repo", "add", twin]);
  const listed = await product.tazuna(["repo", "list", "--json"]);
  const { repositories } = listed.json<{ repositories: readonly { id: string; path: string }[] }>();
  const idOf = (path: string) => repositories.find((one) => one.path === path)?.id ?? "";
  await obey({ code: "repository_known", args: ["repo", "move", idOf(repository), twin], type: "commands" });
  await obey({
    code: "ambiguous_id",
    args: ["repo", "remove", "project"],
    person: async (remedy) => {
      expect([idOf(twin), idOf(repository)].every((id) => remedy.includes(id))).toBe(true);
      expect((await product.tazuna(["repo", "remove", idOf(twin)])).code).toBe(0);
    },
    type: "again",
    again: ["repo", "list"],
  });
  const where = { cwd: repository };
  await obey({
    code: "another_repository",
    args: ["repo", "move", idOf(repository), other],
    where,
    person: async () => {
      await rename(repository, moved);
      where.cwd = moved;
    },
    type: "commands",
  });
}
