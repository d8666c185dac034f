/** Implements the forge for GitLab: a pull request is a merge request there. */
import type { Forge, ForgeAccess } from "../forge.ts";
import { answerOf } from "../http/forge-failure.ts";
import type { ForgeMemory } from "../http/forge-memory.ts";
import { listChecks, readCheckLog } from "./checks.ts";
import { listDiscussions } from "./discussions.ts";
import { createGitLabClient } from "./gitlab-client.ts";
import { mergeNow } from "./merge.ts";
import {
  createMergeRequest,
  findMergeRequest,
  readMergeRequest,
  updateMergeRequest,
} from "./merge-requests.ts";
import { addNote } from "./notes.ts";

export function createGitLab(access: ForgeAccess, memory: ForgeMemory): Forge {
  const client = createGitLabClient(access, memory);
  return {
    kind: "gitlab",
    find: (head) => answerOf(() => findMergeRequest(client, head)),
    create: (request) => answerOf(() => createMergeRequest(client, request)),
    update: (number, change) => answerOf(() => updateMergeRequest(client, number, change)),
    read: (number) => answerOf(() => readMergeRequest(client, number)),
    checks: ({ number }) => answerOf(() => listChecks(client, number)),
    checkLog: (check) => answerOf(() => readCheckLog(client, check)),
    threads: (number) => answerOf(() => listDiscussions(client, number)),
    comment: (number, comment) => answerOf(() => addNote(client, number, comment)),
    merge: (number, options) => answerOf(() => mergeNow(client, number, options)),
  };
}
