/** Makes each kind of scratch folder once; every later caller gets a copy. */
import { afterAll } from "bun:test";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type TempDir, tempDir } from "./temp-dir.ts";

interface First {
  readonly dir: TempDir;
  readonly folder: string;
}

const made = new Map<string, Promise<First>>();

/** Copies to `path` what `make` fills for the first of this kind, and answers where that lies. */
export async function copiedFolder(
  kind: string,
  path: string,
  make: (first: string) => Promise<unknown>,
): Promise<string> {
  const first = made.get(kind) ?? makeFirst(make);
  made.set(kind, first);
  const { folder } = await first;
  await mkdir(path, { recursive: true });
  await cp(folder, path, { recursive: true });
  return folder;
}

async function makeFirst(make: (first: string) => Promise<unknown>): Promise<First> {
  const dir = await tempDir();
  const folder = join(dir.path, "first");
  await mkdir(folder);
  await make(folder);
  return { dir, folder };
}

// This file is loaded before any test file, so that this is done after the last of them.
afterAll(async () => {
  for (const first of made.values()) await (await first).dir[Symbol.asyncDispose]();
  made.clear();
});
