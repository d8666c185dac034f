/** Sorts the places of a profile in the order in which they are mounted over each other. */
import { realpathSync, statSync } from "node:fs";
import { isOutOfResources } from "../utils/files/is-there.ts";
import type { Layer, SandboxProfile } from "./profile.ts";

/**
 * Every existing place of the profile, by its real path. Deeper places come later; for the same place the strictest
 * kind applies. Links are followed, because their target must be protected.
 */
export function layersOf(
  profile: Pick<SandboxProfile, "writable" | "own" | "readOnly" | "hidden">,
): readonly Layer[] {
  const { writable, own, readOnly, hidden } = profile;
  const layers: readonly Layer[] = [
    ...writable.flatMap((path) => layerAt(path, { kind: "writable" })),
    ...own.flatMap(({ path, from }) => layerAt(path, { kind: "own", from })),
    ...readOnly.flatMap((path) => layerAt(path, { kind: "read-only" })),
    ...hidden.flatMap((path) => layerAt(path, { kind: "hidden" })),
  ];
  // Later entries are stricter, and the last one of a path stays.
  const strictest = new Map(layers.map((layer) => [layer.path, layer]));
  return [...strictest.values()].sort((one, other) => depthOf(one) - depthOf(other));
}

/** None if the place does not exist. */
function layerAt<const Rule>(path: string, rule: Rule): (Pick<Layer, "path" | "is"> & Rule)[] {
  try {
    const real = realpathSync(path);
    // The root is mounted before all layers. Mounted over them, it would undo the mounts of `/dev`, `/proc` and
    // `/tmp`.
    if (real === "/") return [];
    return [{ path: real, is: statSync(real).isDirectory() ? "folder" : "file", ...rule }];
  } catch (error) {
    // A place that must be hidden would stay open.
    if (isOutOfResources(error)) throw error;
    // It does not exist or is not accessible: the layers above it protect it already.
    return [];
  }
}

function depthOf({ path }: Layer): number {
  return path.split("/").length;
}
