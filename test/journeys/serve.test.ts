import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

test("`serve --open` beside an engine that a command started shows that engine's page, and ends well", async () => {
  await using product = await startProduct();
  await product.tazuna(["list"]);
  const end = await product.tazuna(["serve", "--open", "--json"]);
  const { url, link } = end.json<{ url: string; link: string }>();
  expect([end.code, link.startsWith(`${url}/sign-in?code=`)]).toEqual([0, true]);
  const page = await fetch(link, { redirect: "manual" });
  expect([page.status, page.headers.get("set-cookie")?.includes("HttpOnly")]).toEqual([303, true]);
  expect((await fetch(link, { redirect: "manual" })).headers.get("set-cookie")).toBeNull();
});

test("`serve` alone refuses a data folder that another engine works on, and says where that one listens", async () => {
  await using product = await startProduct();
  await product.tazuna(["list"]);
  const end = await product.tazuna(["serve", "--json"]);
  expect(end.code).toBe(1);
  expect(end.json<{ error: { code: string; details: { url: string } } }>().error).toMatchObject({
    code: "engine_running",
    details: { url: expect.stringContaining("http://127.0.0.1:") },
  });
});

test("a command whose engine lost the race against one that then died before it listened starts another", async () => {
  await using product = await startProduct();
  await using temporary = await tempDir();
  await mkdir(product.home, { recursive: true });
  const program = join(import.meta.dir, "../storage/programs/hold-engine-lock.ts");
  const first = Bun.spawn([process.execPath, program, product.home], { stdout: "pipe" });
  for await (const said of first.stdout) if (new TextDecoder().decode(said).includes("taken")) break;
  const listed = product.start(["list", "--json"], { env: { TMPDIR: temporary.path } });
  await waitFor("its engine to have lost", async () => {
    const names = (await readdir(temporary.path)).filter((name) => name.startsWith("tazuna-start-"));
    const texts = await Promise.all(names.map((name) => readFile(join(temporary.path, name), "utf8")));
    return texts.some((text) => text.includes("engine_running"));
  });
  first.kill("SIGKILL");
  const end = await listed.end;
  // A busy machine may need more than three seconds for two starts, which the command then says.
  expect([end.code, end.stderr.replace("Waits for the engine to start.\n", "")]).toEqual([0, ""]);
});

test(
  deep("an unneeded engine answers before it ends, however long an agent takes to tell its version"),
  async () => {
    await using folder = await tempDir();
    const program = join(folder.path, "gemini");
    await writeFile(program, "#!/bin/sh\nsleep 14\necho 0.61.0\n");
    await chmod(program, 0o755);
    await using product = await startProduct({
      env: { PATH: `${folder.path}:${process.env.PATH}`, TAZUNA_IDLE_EXIT: "8" },
    });
    const end = await product.tazuna(["agents", "--json"]);
    const { agents } = end.json<{ agents: { id: string; version: string | null }[] }>();
    expect([end.code, agents.find(({ id }) => id === "gemini")?.version]).toEqual([0, "0.61.0"]);
  },
);
