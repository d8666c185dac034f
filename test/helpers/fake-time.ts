/** Finds Debian's package `faketime`: a library that answers what a file says when a program asks for the time. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const library = findLibrary();

/** `library` is null if it is not installed; `skipped` then says so in the title of a test. */
export const fakeTime = {
  library,
  skipped: library === null ? " (skipped: libfaketime is not installed)" : "",
};

function findLibrary(): string | null {
  const folders = ["/usr/lib64", "/usr/lib", ...listed("/usr/lib").map((name) => `/usr/lib/${name}`)];
  return folders.map((each) => join(each, "faketime", "libfaketime.so.1")).find(existsSync) ?? null;
}

function listed(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(path) : [];
}
