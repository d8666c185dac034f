/** Cuts GitHub's own descriptions of its two APIs down to what Tazuna and its tests ask for, into test/fixtures/github/. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { RESOLUTIONS, TO_DRAFT, TO_READY } from "../src/forge/github/queries.ts";
import { cutGraphql } from "./github/cut-graphql.ts";
import { cutOpenapi } from "./github/cut-openapi.ts";

/** Both are published by GitHub under the MIT licence. */
const OPENAPI = "@octokit/openapi@23.0.2";
const GRAPHQL = "@octokit/graphql-schema@15.26.1";

const target = resolve(import.meta.dir, "../test/fixtures/github");
const folder = mkdtempSync(join(tmpdir(), "github-"));
try {
  const openapi = JSON.parse(fileOf(OPENAPI, "generated/api.github.com.json"));
  const cut = { "x-from": OPENAPI, ...cutOpenapi(openapi) };
  writeFileSync(join(target, "openapi.json"), `${JSON.stringify(cut, null, 1)}\n`);
  const graphql = cutGraphql(fileOf(GRAPHQL, "schema.graphql"), [RESOLUTIONS, TO_DRAFT, TO_READY]);
  writeFileSync(join(target, "schema.graphql"), `# From ${GRAPHQL}\n\n${graphql}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** A text of a package, as the registry has it. */
function fileOf(name: string, path: string): string {
  const [archive = ""] = execFileSync("npm", ["pack", "--silent", name], { cwd: folder, encoding: "utf8" })
    .trim()
    .split("\n");
  execFileSync("tar", ["xzf", archive, `package/${path}`], { cwd: folder });
  return readFileSync(join(folder, "package", path), "utf8");
}
