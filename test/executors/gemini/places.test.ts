/** Tells that what is put beside the settings of the Gemini CLI takes nothing from the user. */
import { expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gemini } from "../../../src/executors/gemini/index.ts";
import { makePlaces } from "../../../src/services/runs/agent/agent-config-files.ts";
import { tempDir } from "../../helpers/temp-dir.ts";

test("a key in the home folder's .env is found; no file hides it, and a new one is reported", async () => {
  await using home = await tempDir();
  await mkdir(join(home.path, ".gemini"));
  await writeFile(join(home.path, ".env"), "GEMINI_API_KEY=key\n");
  const places = gemini.places({ HOME: home.path });
  await makePlaces(places, { isolation: "sandbox" });
  const file = join(home.path, ".gemini", ".env");
  expect(await Bun.file(file).exists()).toBe(false);
  expect(places.config.map(({ path }) => path)).toContain(file);
});

test("without one, a file that sets nothing is held there and says why", async () => {
  await using home = await tempDir();
  await mkdir(join(home.path, ".gemini"));
  await makePlaces(gemini.places({ HOME: home.path }), { isolation: "sandbox" });
  expect(await readFile(join(home.path, ".gemini", ".env"), "utf8")).toMatch(/^#[^\n]*Tazuna[^\n]*\n$/);
});
