import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createForgeToken } from "../../src/app/engine/forge-token.ts";
import { storedCredential } from "../../src/git/remote/stored-credential.ts";
import { tempDir } from "../helpers/temp-dir.ts";

/** A shell whose git has a helper that knows one host, and counts how often it is asked. */
async function shell(folder: string, script: string) {
  const config = join(folder, "gitconfig");
  await writeFile(config, `[credential]\n\thelper = "!f() { ${script}; }; f"\n`);
  return { PATH: "/usr/bin:/bin", HOME: folder, GIT_CONFIG_GLOBAL: config };
}

const KNOWS =
  'grep -q host=git.acme.org && echo username=ann && echo password=of-the-helper && echo >> \\"$HOME/asked\\"';

test("git's own helpers tell what they know of a host, and nobody is asked for another one", async () => {
  await using folder = await tempDir();
  const env = await shell(folder.path, KNOWS);
  expect(await storedCredential(env, { protocol: "https", host: "git.acme.org" })).toBe("of-the-helper");
  expect(await storedCredential(env, { protocol: "https", host: "example.org" })).toBeNull();
});

test("a forge's token is the environment's for its host, else that of git's helpers, asked once for a while", async () => {
  await using folder = await tempDir();
  const env = await shell(folder.path, KNOWS);
  const purse = { env, tokens: { TAZUNA_GITHUB_TOKEN: "of-the-environment" } };
  const token = createForgeToken([purse], () => ({ kind: "auto", api_url: null }));
  expect(await token("https://api.github.com")).toBe("of-the-environment");
  expect(await token("https://git.acme.org/api/v1")).toBe("of-the-helper");
  expect(await token("https://git.acme.org/api/v1")).toBe("of-the-helper");
  expect((await Bun.file(join(folder.path, "asked")).text()).length).toBe(1);
  expect(await token("https://example.org/api/v4")).toBeNull();
  // Plain http would show it to others.
  expect(await token("http://git.acme.org/api/v1")).toBeNull();
});
