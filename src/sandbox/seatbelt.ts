/** Builds the argv by which `sandbox-exec` confines a program on macOS; the rules are those of the Linux profile. */
import type { Layer, SandboxProfile } from "./profile.ts";

/** Later rules outrank earlier ones, as deeper layers do shallower ones. Not run on a Mac by us: see the documentation. */
export function seatbeltArgv(
  argv: readonly string[],
  options: Rules & { readonly program: string },
): readonly string[] {
  return [options.program, "-p", seatbeltProfile(options), ...argv];
}

type Rules = Pick<SandboxProfile, "temporary" | "network"> & { readonly layers: readonly Layer[] };

function seatbeltProfile(options: Rules): string {
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write* (subpath "/dev"))',
    `(allow file-write* (subpath ${quoted(options.temporary)}))`,
    ...(options.network === "shared" ? [] : ["(deny network*)"]),
    ...options.layers.flatMap(rulesOf),
    "",
  ].join("\n");
}

function rulesOf({ path, kind, is }: Layer): readonly string[] {
  const place = `(${is === "folder" ? "subpath" : "literal"} ${quoted(path)})`;
  if (kind === "hidden") return [`(deny file-read* file-write* ${place})`];
  const written = `(${kind === "writable" ? "allow" : "deny"} file-write* ${place})`;
  return [`(allow file-read* ${place})`, written];
}

/** A string of the profile language: only the backslash and the quote have a meaning in it. */
function quoted(path: string): string {
  return `"${path.replaceAll(/[\\"]/g, "\\$&")}"`;
}
