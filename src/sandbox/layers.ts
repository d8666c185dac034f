/** Puts the places of a profile in the order in which they are laid over each other. */
import { realpathSync, statSync } from "node:fs";
import { isNoLook } from "../utils/no-look.ts";
import type { Layer, SandboxProfile } from "./profile.ts";

/**
 * Every place of the profile that exists, by its real path: what lies deeper comes later, and of one place the strictest
 * kind holds. Links are followed, since the place that they lead to is what must be held.
 */
export function layersOf(
  profile: Pick<SandboxProfile, "writable" | "own" | "readOnly" | "hidden">,
): readonly Layer[] {
  const layers: readonly Layer[] = [
    ...profile.writable.flatMap((path) =>
      placeAt(path).map((place) => ({ ...place, kind: "writable" as const })),
    ),
    ...profile.own.flatMap(({ path, from }) =>
      placeAt(path).map((place) => ({ ...place, kind: "own" as const, from })),
    ),
    ...profile.readOnly.flatMap((path) =>
      placeAt(path).map((place) => ({ ...place, kind: "read-only" as const })),
    ),
    ...profile.hidden.flatMap((path) =>
      placeAt(path).map((place) => ({ ...place, kind: "hidden" as const })),
    ),
  ];
  // Later entries are stricter, and the last one of a path stays.
  const strictest = new Map(layers.map((layer) => [layer.path, layer]));
  return [...strictest.values()].sort((one, other) => depthOf(one) - depthOf(other));
}

function placeAt(path: string): Pick<Layer, "path" | "is">[] {
  try {
    const real = realpathSync(path);
    // The root is held before all layers; laid over them it would undo what holds `/dev`, `/proc` and `/tmp`.
    if (real === "/") return [];
    return [{ path: real, is: statSync(real).isDirectory() ? "folder" : "file" }];
  } catch (error) {
    // What is to be hidden would stay open.
    if (isNoLook(error)) throw error;
    // Nothing is there, or nobody may go there: the layers above it hold it already.
    return [];
  }
}

function depthOf({ path }: Layer): number {
  return path.split("/").length;
}
