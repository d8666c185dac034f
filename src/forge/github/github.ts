/** Implements the forge for GitHub and GitHub Enterprise. */
import type { Forge, ForgeAccess } from "../forge.ts";
import { answerOf } from "../http/forge-failure.ts";
import type { ForgeMemory } from "../http/forge-memory.ts";
import { listChecks, readCheckLog } from "./checks.ts";
import { addComment } from "./comments.ts";
import { createGitHubClient } from "./github-client.ts";
import { mergePull } from "./merge.ts";
import { createPull, findPull, readPull, updatePull } from "./pulls.ts";
import { listThreads } from "./threads.ts";

export function createGitHub(access: ForgeAccess, memory: ForgeMemory): Forge {
  const client = createGitHubClient(access, memory);
  return {
    kind: "github",
    find: (head) => answerOf(() => findPull(client, head)),
    create: (request) => answerOf(() => createPull(client, request)),
    update: (number, change) => answerOf(() => updatePull(client, number, change)),
    read: (number) => answerOf(() => readPull(client, number)),
    checks: ({ head }) => answerOf(() => listChecks(client, head.sha)),
    checkLog: (check) => answerOf(() => readCheckLog(client, check)),
    threads: (number) => answerOf(() => listThreads(client, number)),
    comment: (number, comment) => answerOf(() => addComment(client, number, comment)),
    merge: (number, options) => answerOf(() => mergePull(client, number, options)),
  };
}
