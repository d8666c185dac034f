import { expect, test } from "bun:test";
import { join } from "node:path";
import { listStaged } from "../../src/git/index/list-staged.ts";
import { SCAN_LIMITS, type ScanLimits, scanFiles } from "../../src/services/gate/scan-files.ts";
import { productGit } from "../git/scene.ts";
import { gitSandbox, writeFiles } from "../helpers/git-repo.ts";

/** Made up; put together here, so that no file of ours holds one. */
const TOKEN = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

const PASSWORD = ["q7Rt2Zp9Lx4", "Vb8Nk3Wm6Hs"].join("");

/** What is found in and reported of a small file with a credential, a longer and a binary one. */
async function scanned(limits: Partial<ScanLimits>) {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.repository("repo");
  await sandbox.commit(repo, { "first.txt": "first\n" });
  await writeFiles(repo, {
    "small.txt": `${TOKEN}\n`,
    "long.txt": `${"words\n".repeat(200)}${TOKEN}\n`,
    "b.bin": "a\0b",
    "c.bin": `\0\0\0${TOKEN.split("").join("\0")}`,
    "wide.txt": [..."password = ", ...PASSWORD, "\n"].map((one) => `${one}\0`).join(""),
  });
  await sandbox.git(repo, ["add", "-A"]);
  const git = productGit(sandbox);
  const target = { gitDir: join(repo, ".git"), workTree: repo };
  const { entries } = (await listStaged(git, target))._unsafeUnwrap();
  const files = entries.map(({ path, sha, size }) => ({ path, sha: sha ?? "", size: size ?? 0, older: [] }));
  const { suspects, findings } = (
    await scanFiles(git, target, { files, limits: { ...SCAN_LIMITS, ...limits } })
  )._unsafeUnwrap();
  return {
    found: suspects.map(({ file, credentials }) => `${file.path}:${credentials[0]?.line}`),
    told: findings.map(({ rule, path }) => `${rule} ${path}`).sort(),
    rejects: findings
      .filter(({ level }) => level === "reject")
      .map(({ path }) => path)
      .sort(),
  };
}

test("every text is read, what is binary is reported, and its NULs hide no credential", async () => {
  expect(await scanned({})).toEqual({
    found: ["small.txt:1", "wide.txt:1", "c.bin:1", "long.txt:201"],
    told: ["binary_file b.bin", "binary_file c.bin"],
    rejects: [],
  });
});

test("what is too large, alone or together, is not read and told; the smallest files are read first", async () => {
  const expected = {
    found: ["small.txt:1", "wide.txt:1", "c.bin:1"],
    told: ["binary_file b.bin", "binary_file c.bin", "not_scanned long.txt"],
  };
  expect(await scanned({ fileBytes: 1000 })).toEqual({ ...expected, rejects: [] });
  // Many files must not hide one.
  expect(await scanned({ totalBytes: 1000 })).toEqual({ ...expected, rejects: ["long.txt"] });
});

test("what the time was too short for is reported", async () => {
  expect(await scanned({ timeMs: -1 })).toEqual({
    found: [],
    told: [
      "binary_file b.bin",
      "not_scanned b.bin",
      "not_scanned c.bin",
      "not_scanned long.txt",
      "not_scanned small.txt",
      "not_scanned wide.txt",
    ],
    rejects: ["b.bin", "c.bin", "long.txt", "small.txt", "wide.txt"],
  });
});
