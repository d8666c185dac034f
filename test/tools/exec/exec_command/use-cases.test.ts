import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { toolkitIn } from "../../toolkit-in.ts";

// Real processes on a busy machine.
setDefaultTimeout(150_000);

test("seed 001 §9: what spawn_service starts gets the tokens and the limits that exec_command's does", async () => {
  await using bench = await toolkitIn();
  const words = ["printf", "<%s>", "a b", "$HOME", "あ", "it's"];
  const ran = await bench.toolkit.execCommand(".", words);
  const said = ran.status === "success" ? ran.data.stdout : ran.message;
  expect(said).toBe("<a b><$HOME><あ><it's>");
  for (const shell_mode of ["default", "direct"] as const) {
    const name = `printing-${shell_mode}`;
    // It is over at once, which is no failure: what it said is there to be read.
    await bench.toolkit.spawnService({ name, command: words, shell_mode });
    expect(await bench.toolkit.getServiceLogs({ name })).toMatchObject({
      data: { status: "exited", exit_code: 0, text: said },
    });
  }
  const missing = { name: "none", command: ["tazuna-no-such-program"] };
  expect(await bench.toolkit.spawnService({ ...missing, shell_mode: "direct" })).toMatchObject({
    error: { code: "COMMAND_NOT_FOUND" },
  });
  await bench.toolkit.close();
});

test("seed 001 §9: codebase_search finds what exec_command has written", async () => {
  await using bench = await toolkitIn();
  await bench.toolkit.execCommand(".", ["sh", "-c", "echo 'const needle = 1;' >found.ts"]);
  expect(await Bun.file(join(bench.root, "found.ts")).exists()).toBe(true);
  expect(await bench.toolkit.codebaseSearch({ query: "needle" })).toMatchObject({
    data: { matches: [{ path: "found.ts", line: 1, kind: "definition" }], total_matches: 1 },
  });
});
