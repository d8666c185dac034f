/** Puts the places of a profile in the order in which they are laid over each other. */
import { realpathSync, statSync } from "node:fs";
import type { Layer, SandboxProfile } from "./profile.ts";

/**
 * Every place of the profile that exists, by its real path: what lies deeper comes later, and of one place the strictest
 * kind holds. Links are followed, since the place that they lead to is what must be held.
 */
export function layersOf(
  profile: Pick<SandboxProfile, "writable" | "readOnly" | "hidden">,
): readonly Layer[] {
  const layers = [
    ...profile.writable.flatMap((path) => layerAt(path, "writable")),
    ...profile.readOnly.flatMap((path) => layerAt(path, "read-only")),
    ...profile.hidden.flatMap((path) => layerAt(path, "hidden")),
  ];
  // Later entries are stricter, and the last one of a path stays.
  const strictest = new Map(layers.map((layer) => [layer.path, layer]));
  return [...strictest.values()].sort((one, other) => depthOf(one) - depthOf(other));
}

function layerAt(path: string, kind: Layer["kind"]): Layer[] {
  try {
    const real = realpathSync(path);
    // The root is held before all layers; laid over them it would undo what holds `/dev`, `/proc` and `/tmp`.
    if (real === "/") return [];
    return [{ path: real, kind, is: statSync(real).isDirectory() ? "folder" : "file" }];
  } catch {
    // Nothing is there, or nobody may go there: the layers above it hold it already.
    return [];
  }
}

function depthOf({ path }: Layer): number {
  return path.split("/").length;
}
