/** Writes every document that is made from the code anew, and takes away the pages of tools that are gone. */
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { generatedDocuments } from "./docs/generated-documents.ts";

const root = resolve(import.meta.dir, "..");
for (const { path, is, should } of generatedDocuments(root)) {
  if (is === should) continue;
  if (should === null) rmSync(join(root, path));
  else writeFileSync(join(root, path), should);
  console.log(`${should === null ? "removed" : "wrote"} ${path}`);
}
