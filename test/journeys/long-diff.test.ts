import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "../../src/contract/client/client.ts";
import type { DiffFiles } from "../../src/contract/endpoints/attempts.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

const BIN = join(import.meta.dir, "../../bin/tazuna");

setDefaultTimeout(PATIENCE_MS);

/** 37 MiB of text in five files, 230 small ones, and names and contents that are not easy. */
const SCRIPT = [
  'for n in 1 2 3 4 5; do seq -f "$n %.0f of a long list of lines that nobody reads" 1 160000 > long$n.txt; done',
  "for n in $(seq 1 230); do echo $n > small$n.txt; done",
  "mv README.md moved.txt; rm -f none; printf 'caf\\351\\n' > latin.txt; printf '\\0\\1' > data.bin",
  `printf 'x\\n' > "$(printf 'caf\\351.txt')"; printf 'y\\n' > "$(printf 'a"b\\tc.txt')"; ln -s moved.txt link`,
].join("; ");

test(
  deep("the command line never cuts a long diff; HTTP gives it by file and page, and tells of a cut"),
  async () => {
    await using product = await startProduct();
    await product.agent("many", SCRIPT);
    const { attempt } = await ask(product, ["run", "Change it", "--agent", "many"]);
    const bytesOf = async (argv: readonly string[]) => {
      const env = { ...product.env, GIT_CONFIG_GLOBAL: "/dev/null" };
      const child = Bun.spawn([...argv], { cwd: product.repository, env, stdout: "pipe", stderr: "inherit" });
      return Buffer.from(await new Response(child.stdout).arrayBuffer());
    };
    const expected = await bytesOf([
      "git",
      "-c",
      "core.quotePath=false",
      "diff",
      "-M",
      attempt.base?.sha ?? "",
      attempt.branch,
    ]);
    expect(expected.length).toBeGreaterThan(33 * 1024 * 1024);
    const printed = await bytesOf([BIN, "diff", attempt.id]);
    expect(printed.equals(expected)).toBe(true);

    const stat = (await product.tazuna(["diff", attempt.id, "--stat"])).stdout;
    expect(stat).toContain("241 files, +800234 -0\n");
    const { files, patch } = JSON.parse((await bytesOf([BIN, "diff", attempt.id, "--json"])).toString());
    expect(patch).toBe(expected.toString());
    expect(files).toHaveLength(241);

    const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
    const client = createClient({ url, token, fetch });
    const whole = (await client.diff(attempt.id, { other: null }))._unsafeUnwrap();
    const { shown_bytes = 0, bytes } = whole.truncated ?? {};
    expect({ files: whole.files.length, bytes }).toEqual({ files: 241, bytes: expected.length });
    expect(whole.patch).toBe(expected.subarray(0, shown_bytes).toString());
    expect(whole.patch.endsWith("\n")).toBe(true);

    const page = (
      await client.diffFiles(attempt.id, { cursor: null, limit: 200, other: null })
    )._unsafeUnwrap();
    const query = { cursor: page.next, limit: 200, other: null };
    const rest = (await client.diffFiles(attempt.id, query))._unsafeUnwrap();
    expect([...page.files, ...rest.files]).toEqual(whole.files);
    expect(rest.next).toBe(null);

    const parts = expected.toString().split(/^(?=diff --git )/m);
    expect(parts).toHaveLength(241);
    for (const [index, path] of whole.files.map((file) => file.path).entries()) {
      if (path.startsWith("small") && path !== "small110.txt") continue;
      const one = (await client.diff(attempt.id, { other: null, path }))._unsafeUnwrap();
      expect([one.files, one.patch === parts[index], one.truncated]).toEqual([
        whole.files.slice(index, index + 1),
        true,
        undefined,
      ]);
    }
    const missing = await client.diff(attempt.id, { other: null, path: "README" });
    expect(missing._unsafeUnwrapErr()).toMatchObject({
      code: "file_not_changed",
      details: { path: "README" },
    });
    for (const [word, code] of [
      ["x", "bad_cursor"],
      ["0 not-changed.txt", "changed_meanwhile"],
    ] as const) {
      const cursor = Buffer.from(word).toString("base64url");
      const gone = await client.diffFiles(attempt.id, { cursor, limit: 5, other: null });
      expect(gone._unsafeUnwrapErr()).toMatchObject({ code });
    }
  },
);

test("pages go on over names that are no UTF-8 and read alike", async () => {
  await using product = await startProduct();
  await product.agent("odd", `for n in 1 2 3 4 5; do echo $n > "$(printf "x\\\\37$n")"; done`);
  const { attempt } = await ask(product, ["run", "Change it", "--agent", "odd"]);
  const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  const client = createClient({ url, token, fetch });
  const sizes: number[] = [];
  let cursor: string | null = null;
  do {
    const page: DiffFiles = (
      await client.diffFiles(attempt.id, { cursor, limit: 2, other: null })
    )._unsafeUnwrap();
    sizes.push(page.files.length);
    cursor = page.next;
  } while (cursor !== null && sizes.length < 4);
  expect(sizes).toEqual([2, 2, 1]);
});
