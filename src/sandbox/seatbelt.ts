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
    // What has no process table of its own is at least to leave the processes of others alone.
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    ...(options.network === "shared" ? [] : ["(deny network*)"]),
    ...options.layers.flatMap(rulesOf),
    // Nothing stands for another place here: it lies among what is hidden.
    `(allow file-read* file-write* (subpath ${quoted(options.temporary)}))`,
    "",
  ].join("\n");
}

function rulesOf({ path, kind, is }: Layer): readonly string[] {
  const place = `(${is === "folder" ? "subpath" : "literal"} ${quoted(path)})`;
  // That it is there may be seen: whoever goes to a place below has to pass.
  if (kind === "hidden") return [`(deny file-read-data file-read-xattr file-write* ${place})`];
  // A folder that is a program's own elsewhere is everybody's here.
  const written = `(${kind === "read-only" ? "deny" : "allow"} file-write* ${place})`;
  return [`(allow file-read* ${place})`, written];
}

/** A string of the profile language: only the backslash and the quote have a meaning in it. */
function quoted(path: string): string {
  return `"${path.replaceAll(/[\\"]/g, "\\$&")}"`;
}
