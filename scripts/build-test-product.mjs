// Makes a copy of the product in few files, which starts in half the time: the tests start it some thousand times.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `tazuna` of the answered folder is called as the checkout's is. `remove()` deletes the folder. */
export function buildTestProduct(home) {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "tazuna-test-product-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  for (const name of ["bin", "scripts", "package.json"])
    cpSync(join(home, name), join(folder, name), { recursive: true });
  for (const name of ["node_modules", "dist"]) symlinkSync(join(home, name), join(folder, name));
  // The product finds its `main.ts` and its own folder from the place of these.
  const built = join(folder, "src/app/process");
  mkdirSync(built, { recursive: true });
  writeFileSync(join(folder, "src/main.ts"), MAIN);
  const bun = join(home, "node_modules", ".bin", "bun");
  const outputs = ["--target=bun", `--outdir=${built}`];
  const build = (...form) => spawnSync(bun, ["build", join(home, "src/main.ts"), ...outputs, ...form]);
  const failed = [
    build("--splitting", "--entry-naming=parts.js"),
    build("--format=cjs", "--bytecode", "--entry-naming=whole.js"),
  ].find(({ status }) => status !== 0);
  if (failed === undefined) return { folder, remove };
  remove();
  throw new Error(`the product could not be built for its tests: ${failed.stderr}`);
}

/** Bytecode starts an engine in three quarters of the time, but it is read whole: commands are faster in parts. */
const MAIN = `if (process.argv[2] === "serve") require("./app/process/whole.js");
else await import("./app/process/parts.js");
`;
