/** Opens a forge by its kind; the program of a forge is loaded when it is first spoken to. */
import type { Forge, ForgeAccess, ForgeKind } from "../forge.ts";
import { createForgeMemory, type ForgeMemory } from "../http/forge-memory.ts";

export type OpenForge = (kind: ForgeKind, access: ForgeAccess) => Promise<Forge>;

/** What the forges have answered is remembered between calls, so that polling asks only for what is new. */
export function createForges(): OpenForge {
  const memory = createForgeMemory();
  return (kind, access) => OPENERS[kind](access, memory);
}

const OPENERS: Readonly<Record<ForgeKind, (access: ForgeAccess, memory: ForgeMemory) => Promise<Forge>>> = {
  github: async (access, memory) => (await import("../github/github.ts")).createGitHub(access, memory),
  gitlab: async (access, memory) => (await import("../gitlab/gitlab.ts")).createGitLab(access, memory),
  gitea: async (access, memory) => (await import("../gitea/gitea.ts")).createGitea(access, memory),
};
