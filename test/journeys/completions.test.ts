/** What shells complete, tried in the shells themselves. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";

setDefaultTimeout(PATIENCE_MS);

/** How each shell is asked what would follow these words, the last one being typed; one candidate a line. */
const SHELLS: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => [
    ...["bash", "--norc", "-c"],
    `source <(tazuna completions bash); COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}; _tazuna; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p tazuna >&2`,
  ],
  zsh: (words) => [
    ...["zsh", "-f", "-c"],
    `compdef() {}; _describe() { local one; for one in "\${(@P)2}"; do print -r -- "\${one%%:*}"; done }; _files() {}; source <(tazuna completions zsh); words=(${quoted(words)}); CURRENT=${words.length}; _tazuna`,
  ],
  fish: (words) => [
    ...["fish", "--no-config", "-c"],
    `tazuna completions fish | source; complete -C ${quoted([
      words
        .slice(0, -1)
        .join(" ")
        .concat(" ", words.at(-1) ?? ""),
    ])} | string replace -r '\\t.*' ''`,
  ],
};

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(" ");
}

async function completed(product: Product, shell: string, words: readonly string[]) {
  const bin = join(product.home, "../bin");
  await mkdir(bin, { recursive: true });
  await symlink(join(import.meta.dir, "../../bin/tazuna"), join(bin, "tazuna")).catch(() => undefined);
  const child = Bun.spawn([...(SHELLS[shell]?.(["tazuna", ...words]) ?? [])], {
    cwd: join(product.home, ".."),
    env: { ...product.env, PATH: `${bin}:${product.env.PATH}` },
    stdout: "pipe",
    stderr: "ignore",
  });
  const text = await new Response(child.stdout).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .sort();
}

for (const shell of Object.keys(SHELLS)) {
  const missing = Bun.which(shell) === null;
  test.skipIf(missing)(
    `${shell} completes commands, flags, values, agents and ids${missing ? " (skipped: it is not installed)" : ""}`,
    async () => {
      await using product = await startProduct();
      await product.agent("mine", "echo new > new.txt; echo Done.");
      const before = await product.enginePid();
      expect(await completed(product, shell, ["re"])).toEqual([
        "repo",
        "restore",
        "retry",
        "revert",
        "review",
      ]);
      expect(await completed(product, shell, ["trash", ""])).toEqual(["empty", "list", "restore"]);
      expect(await completed(product, shell, ["retry", "--fr"])).toEqual(["--from"]);
      expect(await completed(product, shell, ["retry", "--from", ""])).toEqual([
        "base",
        "checks",
        "limit",
        "push",
      ]);
      expect(await completed(product, shell, ["run", "Do it", "--agent", "mi"])).toEqual(["mine"]);
      expect(await completed(product, shell, ["config", "set", "limits.per"])).toEqual([
        "limits.per_login",
        "limits.per_repository",
      ]);
      // Nothing was started only to complete a word.
      expect([before, await product.enginePid()]).toEqual([null, null]);
      const { attempt } = await ask(product, ["run", "Change it", "--agent", "mine"]);
      const id = attempt.id.slice(0, 8);
      expect(await completed(product, shell, ["diff", id.slice(0, 4)])).toEqual([id]);
      expect(await completed(product, shell, ["diff", attempt.branch.slice(0, 9)])).toEqual([attempt.branch]);
      expect(await completed(product, shell, ["repo", "remove", ""])).toEqual(["project"]);
      expect(await completed(product, shell, ["list", "--repo", "pro"])).toEqual(["project"]);
    },
  );
}

test("a shell that is not known is bad usage", async () => {
  await using product = await startProduct();
  expect((await product.tazuna(["completions", "tcsh"])).code).toBe(2);
});
