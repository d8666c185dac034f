/** Builds the argv with which `sandbox-exec` confines a program on macOS, with the same rules as the Linux profile. */
import type { Layer, SandboxProfile } from "./profile.ts";

/**
 * Later rules outrank earlier ones, as deeper layers outrank shallower ones. We have not run it on a Mac: see the
 * documentation.
 */
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
    // Without its own process table, the program must at least not signal other processes.
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    ...(options.network === "shared" ? [] : ["(deny network*)"]),
    ...options.layers.flatMap(rulesOf),
    // The folder cannot be shown at another place here. Its own place is in a hidden folder, so this rule is last.
    `(allow file-read* file-write* (subpath ${quoted(options.temporary)}))`,
    "",
  ].join("\n");
}

function rulesOf({ path, kind, is }: Layer): readonly string[] {
  const place = `(${is === "folder" ? "subpath" : "literal"} ${quoted(path)})`;
  // Its existence may be seen, because access to a place below passes through it.
  if (kind === "hidden") return [`(deny file-read-data file-read-xattr file-write* ${place})`];
  // An `own` folder cannot be replaced by an empty one here, so the program writes the real one.
  const written = `(${kind === "read-only" ? "deny" : "allow"} file-write* ${place})`;
  return [`(allow file-read* ${place})`, written];
}

/** A string of the profile language, in which only the backslash and the quote have a meaning. */
function quoted(path: string): string {
  return `"${path.replaceAll(/[\\"]/g, "\\$&")}"`;
}
