/** Lists the forges that are played here: one line each. */

import { smallGitea } from "./small-gitea.ts";
import { discussionId, smallGitLab } from "./small-gitlab.ts";

export const PLAYED = {
  gitlab: {
    start: smallGitLab,
    token: "TAZUNA_GITLAB_TOKEN",
    value: `glpat-${"0123456789abcdef".repeat(2).slice(0, 20)}`,
    page: (number: number) => `https://gitlab.example/ann/garden/-/merge_requests/${number}`,
    thread: (comment: number) => `discussion:${discussionId(comment)}`,
  },
  gitea: {
    start: smallGitea,
    token: "TAZUNA_GITEA_TOKEN",
    value: "0123456789abcdef".repeat(3).slice(0, 40),
    page: (number: number) => `https://gitea.example/ann/garden/pulls/${number}`,
    thread: (comment: number) => `line:${comment}`,
  },
} as const;

export type PlayedKind = keyof typeof PLAYED;
export const PLAYED_KINDS = Object.keys(PLAYED) as readonly PlayedKind[];
