/** Reads the settings of a repository that the form shows. */
import type { ConfigValue, ListedRepositoryDocument } from "@contract/endpoints/repositories.ts";
import { queryOptions } from "@tanstack/react-query";
import type { Result } from "neverthrow";
import { answerOf, api } from "../../data/api.ts";

/** An agent, and whether it could run now. */
export type AgentState =
  Awaited<ReturnType<typeof api.agents>> extends Result<infer Page, unknown>
    ? Page extends { readonly items: readonly (infer Item)[] }
      ? Item
      : never
    : never;

export const configQuery = (repository: string | null) =>
  queryOptions({
    queryKey: ["config", repository],
    queryFn: async () => (await answerOf(api.config(repository === null ? {} : { repository }))).items,
    meta: { renewedBy: ({ kind }) => kind === "repository.changed" || kind === "settings.changed" },
  });

/** Whether a task may begin in it: what lies on another worker alone needs an address, by which others know it too. */
export function canBegin({ worker, address }: ListedRepositoryDocument): boolean {
  return worker === null || address !== null;
}

/** The settings that the form shows. */
export interface Configured {
  readonly checks: readonly string[];
  readonly publish: string;
  readonly remote: string;
  readonly base: string | null;
  readonly deny: readonly string[];
  readonly timeoutS: number | null;
  readonly costUsd: number | null;
}

export function configuredOf(values: readonly ConfigValue[]): Configured {
  const by = new Map(values.map(({ key, value }) => [key, value]));
  const text = (key: string) => (typeof by.get(key) === "string" ? (by.get(key) as string) : null);
  const number = (key: string) => (typeof by.get(key) === "number" ? (by.get(key) as number) : null);
  const list = (key: string) => (Array.isArray(by.get(key)) ? (by.get(key) as unknown[]) : []);
  return {
    checks: list("checks").map((check) => String((check as { name?: unknown }).name ?? "")),
    publish: text("publish") ?? "push",
    remote: text("push_remote") ?? text("remote") ?? "origin",
    base: text("base"),
    deny: list("deny")
      .map(String)
      .filter((pattern) => !pattern.startsWith("!")),
    timeoutS: number("limits.timeout_s"),
    costUsd: number("limits.cost_usd"),
  };
}
