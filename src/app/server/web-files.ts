/** Reads the built web UI into memory, once. */
import { readdir, readFile, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import type { WebFile, WebFiles } from "../../api/http/api-options.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/** By their address. Null if `folder` does not hold the page, since the web UI was not built. */
export async function readWebFiles(folder: string): Promise<WebFiles | null> {
  const root = await realpath(folder).catch(() => folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const found = entries
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
    .map((entry) => join(entry.parentPath, entry.name));
  const own = await Promise.all(found.map(isOwn));
  const names = found.filter((_, index) => own[index]);
  const files = await Promise.all(names.map(readWebFile));
  const byAddress = new Map(
    names.map((name, index) => [addressOf(root, name), files[index] as WebFile] as const),
  );
  return byAddress.has("/index.html") ? byAddress : null;
}

/** Whether no link leads there: the runtime lists what lies behind a linked folder, too. */
async function isOwn(path: string): Promise<boolean> {
  return (await realpath(path).catch(() => null)) === path;
}

async function readWebFile(path: string): Promise<WebFile> {
  const packed = `${path}.br`;
  const [bytes, brotli] = await Promise.all([
    readFile(path),
    (await isOwn(packed)) ? readFile(packed) : null,
  ]);
  return {
    type: TYPES[extname(path)] ?? "application/octet-stream",
    bytes: new Uint8Array(bytes),
    brotli: brotli === null ? null : new Uint8Array(brotli),
  };
}

function addressOf(folder: string, path: string): string {
  return path.slice(folder.length).replaceAll(sep, "/");
}
