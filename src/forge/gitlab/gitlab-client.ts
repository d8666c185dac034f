/** Speaks with one project on GitLab, by its number: its path may be an old one, and is taken for reading only. */
import { z } from "zod";
import type { ForgeAccess } from "../forge.ts";
import { createForgeClient } from "../http/forge-client.ts";
import type { ForgeMemory } from "../http/forge-memory.ts";
import { createJsonClient, type JsonClient } from "../http/json-client.ts";
import { readShape } from "../http/read-shape.ts";

export interface GitLabClient extends JsonClient {
  /** The project that gets the merge requests. */
  readonly project: () => Promise<Project>;
  /** Another one, by its path or its number. */
  readonly projectAt: (id: string | number) => Promise<Project>;
}

interface Project {
  readonly id: number;
  /** User or groups, with slashes. */
  readonly owner: string;
}

/** GitLab takes personal, group, project and OAuth tokens as `Bearer`. */
export function createGitLabClient(access: ForgeAccess, memory: ForgeMemory): GitLabClient {
  const json = createJsonClient(access, createForgeClient(access, memory));
  const known = new Map<string, Promise<Project>>();
  const projectAt = (id: string | number) => {
    const key = encodeURIComponent(id);
    const found = known.get(key) ?? json.get(`/projects/${key}`).then(projectOf);
    known.set(key, found);
    // A failure is no answer for the next one who asks.
    found.catch(() => known.delete(key));
    return found;
  };
  const { owner, name } = access.repository;
  return { ...json, projectAt, project: () => projectAt(`${owner}/${name}`) };
}

const project = z.object({ id: z.int(), path_with_namespace: z.string() });

function projectOf(data: unknown): Project {
  const { id, path_with_namespace: path } = readShape(project, data, "a project");
  return { id, owner: path.slice(0, Math.max(path.lastIndexOf("/"), 0)) };
}
