/** Decides whether a path stays inside a folder by its real target. */
import { lstatSync, realpathSync } from "node:fs";
import { isInside, spellPath } from "./path-spelling.ts";
import { type RealLocation, realLocation } from "./real-location.ts";

export type SafePath =
  | {
      readonly ok: true;
      /** Absolute, without symbolic links. */
      readonly path: string;
      readonly kind: "directory" | "file" | "other" | "nothing";
    }
  | {
      readonly ok: false;
      readonly reason: "invalid" | "outside" | "missing";
      /** One sentence that names the path. */
      readonly message: string;
    };

interface SafePathOptions {
  /** What happens to a path that does not exist: it is refused (default), or judged by its deepest existing folder. */
  readonly missing?: "refuse" | "allow";
  /** Whether a path may go through a plain file, for a caller that removes the file first. Default false. */
  readonly throughFiles?: boolean;
  /** Absolute paths: accepted if they lead inside (default), or `invalid`. */
  readonly absolute?: "accepted" | "refused";
}

/**
 * The real target of `path` (relative to `root`, or absolute), if it is inside `root`. First its spelling is checked
 * (`path-spelling.ts`), then every link on the way. A path outside is `outside` whether it exists or not, so that its
 * existence stays unknown. A path can be replaced after the check, so the code that opens it checks again
 * (`open-inside.ts`, `pinned-folder.ts`). Throws if `root` itself cannot be resolved.
 */
export function realPathInside(root: string, path: string, options: SafePathOptions = {}): SafePath {
  const { platform } = process;
  const { missing = "refuse", absolute = "accepted", throughFiles = false } = options;
  const home = realpathSync.native(root);
  // Most calls are for the root itself, which is its own target.
  const isRoot = path === "." || (path === home && absolute === "accepted");
  if (isRoot && lstatSync(home).isDirectory()) return { ok: true, path: home, kind: "directory" };
  const refused = (reason: "invalid" | "outside" | "missing", message: string): SafePath => ({
    ok: false,
    reason,
    message,
  });
  const spelling = spellPath(path, { root: home, platform, absolute });
  if (!spelling.ok) return refused("invalid", `${JSON.stringify(path.slice(0, 200))} ${spelling.flaw}`);
  const location = realLocation(spelling.path);
  if (!isInside(home, reached(location), platform))
    return refused("outside", `${path} is outside of ${root}`);
  if (location.found === "something") return { ok: true, path: location.path, kind: location.kind };
  if (location.found === "no-way" && throughFiles && location.beyond !== undefined)
    return { ok: true, path: location.beyond, kind: "nothing" };
  if (location.found === "no-way")
    return refused(missing === "allow" ? "invalid" : "missing", `${path} leads nowhere: ${location.why}`);
  if (missing === "refuse") return refused("missing", `${path} does not exist`);
  return { ok: true, path: location.path, kind: "nothing" };
}

function reached(location: RealLocation): string {
  return location.found === "no-way" ? location.at : location.path;
}
