/** Holds how much a browser loads before the first screen (design: flows, section 7). */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const BUILT = join(import.meta.dir, "../../dist/web");
const isBuilt = existsSync(join(BUILT, "index.html"));
const MAX_BYTES = 300_000;

test.skipIf(!isBuilt)(
  `the first screen needs at most 300 kB of compressed JavaScript, and nothing from elsewhere${isBuilt ? "" : " (skipped: the web UI is not built)"}`,
  () => {
    const page = readFileSync(join(BUILT, "index.html"), "utf8");
    const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
    expect(loaded.filter((address) => !address.startsWith("/"))).toEqual([]);
    const scripts = loaded.filter((address) => address.endsWith(".js"));
    const bytes = scripts.reduce((sum, name) => sum + readFileSync(join(BUILT, `${name}.gz`)).byteLength, 0);
    expect(scripts.length).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(MAX_BYTES);
  },
);
