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
  symlinkSync(join(home, "node_modules"), join(folder, "node_modules"));
  // The product finds its `main.ts` and its own folder from the place of this one.
  const built = join(folder, "src/app/process");
  mkdirSync(built, { recursive: true });
  writeFileSync(join(folder, "src/main.ts"), 'import "./app/process/main.js";\n');
  const bun = join(home, "node_modules", ".bin", "bun");
  const args = ["build", join(home, "src/main.ts"), "--target=bun", "--splitting", `--outdir=${built}`];
  const { status, stderr } = spawnSync(bun, args, { encoding: "utf8" });
  if (status === 0) return { folder, remove };
  remove();
  throw new Error(`the product could not be built for its tests: ${stderr}`);
}
