/** `config set` and default agents: what is written holds, and nothing else is lost. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

test(
  deep(
    "values are written by the schema, other characters stay, and a file that is no JSON is never written over",
  ),
  async () => {
    await using product = await startProduct();
    const file = join(product.home, "config.json");
    await mkdir(product.home, { recursive: true, mode: 0o700 });
    const set = (...words: string[]) => product.tazuna(["config", "set", ...words]);
    const text = () => readFile(file, "utf8");

    expect((await set("limits.parallel", "3")).stdout).toBe(`Set limits.parallel to 3 in ${file}.\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const before = '{\n  "copy": ["a",   "b"],\n  "limits": { "parallel": 3 }\n}\n';
    await writeFile(file, before);
    await chmod(file, 0o640);
    await set("limits.parallel", "5");
    expect([await text(), (await stat(file)).mode & 0o777]).toEqual([before.replace("3", "5"), 0o640]);
    await set("base", '"main"');
    expect(JSON.parse(await text())).toMatchObject({ base: "main" });
    await set("base", "123");
    await set("default_agents", '["agent", "agent"]');
    await set("agents.my.own.model", "haiku");
    expect((await product.tazuna(["config", "set", "agents.my.own.executor", "codex"])).code).toBe(0);
    expect(JSON.parse(await text())).toEqual({
      copy: ["a", "b"],
      limits: { parallel: 5 },
      base: "123",
      default_agents: ["agent", "agent"],
      agents: { "my.own": { executor: "codex" } },
    });

    const kept = await text();
    const slips = [
      [["limits.paralel", "4"], 'did you mean "parallel"? Nothing was written.'],
      [["base", '""'], "base"],
      [["branch", '["x"]'], "branch"],
      [["limits.parallel", "many"], "limits.parallel"],
      [["setup", "npm ci"], "setup"],
      [["gate.rules.credentail", "off"], 'did you mean "credential"?'],
      [["notify.webhook", `https://hooks.example/ghp_${"a1B2".repeat(9)}`], "credential"],
      [["agents.x.env.API_KEY", "something-long"], "credential"],
    ] as const;
    for (const [words, told] of slips) {
      const slip = await refused(product, ["config", "set", ...words]);
      expect([slip.code, slip.error.message]).toEqual([2, expect.stringContaining(told)]);
    }
    expect(await text()).toBe(kept);

    await writeFile(file, '{\n  // mine\n  "base": "main"\n}\n');
    const comments = await refused(product, ["config", "set", "base", "dev"]);
    expect([comments.code, comments.error.message]).toEqual([2, expect.stringContaining("config.json:2")]);
    expect(await text()).toContain("// mine");

    const elsewhere = join(product.home, "../dotfiles.json");
    await writeFile(file, "{}");
    await rename(file, elsewhere);
    await symlink(elsewhere, file);
    await set("sign", "off");
    expect(JSON.parse(await readFile(elsewhere, "utf8"))).toEqual({ sign: "off" });
  },
);

test(deep("--repo writes the repository's own file, and default agents hold for run"), async () => {
  await using product = await startProduct();
  await product.agent("agent", "echo $TAZUNA_RUN > new.txt; echo Done.");
  expect((await refused(product, ["run", "Change it"])).error.remedy).toContain("default_agents");
  const sub = join(product.repository, "deep");
  await mkdir(sub);
  const set = ["config", "set", "default_agents", '["agent","agent"]', "--repo", "--json"];
  const done = (await product.tazuna(set, { cwd: sub })).json<{ file: string }>();
  expect(done.file).toBe(join(product.repository, ".tazuna", "config.json"));
  const both = await ask(product, ["run", "Change it"]);
  expect(both.attempts.map(({ agent }) => agent)).toEqual(["agent", "agent"]);
  const one = await ask(product, ["run", "Change it", "--agent", "agent"]);
  const { worktree } = one.attempt;
  const inside = await product.tazuna(["config", "set", "base", "main", "--repo"], { cwd: worktree });
  expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining("This is an attempt's worktree")]);
  expect(one.attempts).toHaveLength(1);
  expect(await refused(product, ["run", "Change it", "--branch", "main"])).toMatchObject({
    code: 2,
    error: { code: "branch_for_one_agent" },
  });
  await product.tazuna(["config", "set", "default_agents", '["agnet"]', "--repo"]);
  const slip = (await refused(product, ["run", "Change it"])).error.message;
  expect(slip).toContain(
    '`default_agents` of the configuration: Unknown agent "agnet"; did you mean "agent"?',
  );
  const nowhere = await product.tazuna(["config", "set", "base", "x", "--repo"], { cwd: product.home });
  expect(nowhere.code).toBe(2);
});
