/** Asks for pull requests where the attempt, the login or the forge is not ready, and follows what each refusal says. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onForge, TOKEN } from "../../helpers/forge-world.ts";
import { ask } from "../../helpers/journey.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import type { Scene } from "./obey.ts";

export const ON_FORGES: Scene = {
  title: "pull requests that cannot be opened, or have nothing to send",
  codes: [
    "base_not_a_branch",
    "forge_auth",
    "forge_conflict",
    "forge_forbidden",
    "forge_not_found",
    "forge_refused",
    "forge_unavailable",
    "no_forge",
    "no_pull_request",
    "not_pushed",
    "nothing_new",
    "rate_limited",
  ],
  async play(product, obey) {
    await using world = await onForge(product);
    const { github } = world;
    await product.agent("doer", 'echo "$TAZUNA_RUN" >> hello.txt');
    // The shell that runs an agent has a token, and the one that asks for a pull request has none.
    const login = { TAZUNA_GITHUB_TOKEN: TOKEN };
    const run = async (...more: string[]) =>
      (await ask(product, ["run", "Say hello", "--agent", "doer", ...more], { env: login })).attempt;
    const { id, worktree } = await run();
    const pr = ["pr", id];
    const mend = async () => {
      github.status = null;
    };
    await product.killEngine();
    await obey({
      code: "forge_auth",
      args: pr,
      says: "TAZUNA_GITHUB_TOKEN",
      person: async () => {
        // A login in place, as `gh auth setup-git` makes one.
        const helper = join(product.home, "..", "helper");
        await writeFile(helper, `#!/bin/sh\necho username=ann\necho password=${TOKEN}\n`, { mode: 0o755 });
        await product.sandbox.git(product.repository, ["config", "--global", "credential.helper", helper]);
      },
      type: "again",
    });
    await product.configure({ forge: {} });
    await obey({
      code: "no_forge",
      args: pr,
      says: /HOST/,
      person: () => world.configure({}),
      type: "again",
    });
    const found = await run();
    await obey({ code: "no_pull_request", args: ["continue", found.id, "--from-review"], type: "commands" });
    for (const [status, code] of [
      [403, "forge_forbidden"],
      [404, "forge_not_found"],
      [409, "forge_conflict"],
      [422, "forge_refused"],
      [503, "forge_unavailable"],
    ] as const) {
      github.status = status;
      await obey({ code, args: pr, person: mend, type: "last" });
    }
    await product.sandbox.commit(worktree, { "mine.txt": "mine\n" });
    await obey({ code: "not_pushed", args: pr, type: "commands" });
    await obey({ code: "nothing_new", args: ["continue", id, "--from-checks"], type: "commands" });
    const tagged = await run("--base", await product.sandbox.git(product.repository, ["rev-parse", "main"]));
    const based = await run("--base", "main");
    await obey({
      code: "base_not_a_branch",
      args: ["pr", tagged.id],
      says: "--base BRANCH",
      again: ["pr", based.id],
      type: "commands and again",
    });
    const late = await run();
    github.limitsNext = 2000;
    await obey({
      code: "rate_limited",
      args: ["pr", late.id],
      says: /by itself/,
      person: () => waitFor("it to be opened", () => github.pulls.some(({ head }) => head === late.branch)),
      type: "again",
    });
  },
};
