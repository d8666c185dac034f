/** Reads the scripts that a repository names, and trusts them for the person who read them. */
import type { ScriptDocument } from "@contract/endpoints/repositories.ts";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";
import { useIsKnown, useWhyNot } from "../../data/may.ts";
import { tellProblem } from "../../ui/toast.tsx";

export const scriptsQuery = (repository: string | null) =>
  queryOptions({
    queryKey: ["scripts", repository],
    queryFn: async () => (repository === null ? [] : (await answerOf(api.scripts({ repository }))).items),
    meta: { renewedBy: ({ kind }) => kind === "repository.changed" || kind === "settings.changed" },
  });

/** Who may not name a folder of the machine names the repository by its id. Null until it is known who looks. */
export function useNamed({ id, path }: { readonly id: string; readonly path: string }): string | null {
  const isFolderOpen = useWhyNot()("scripts", { repository: path }) === null;
  return useIsKnown() ? (isFolderOpen ? path : id) : null;
}

/** Trusts exactly the hashes that were shown. */
export function useTrust(repository: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (hashes: readonly string[]) => answerOf(api.trust({ repository, hashes: [...hashes] })),
    onSuccess: ({ items }) => {
      client.setQueryData(scriptsQuery(repository).queryKey, items);
      void client.invalidateQueries({ queryKey: ["agents"] });
      void client.invalidateQueries({ queryKey: ["doctor"] });
    },
    onError: tellProblem,
  });
}

/** Those that hold a task back: a program of an agent only does if that agent is chosen. */
export function untrustedFor(
  scripts: readonly ScriptDocument[],
  chosen: readonly string[],
): readonly ScriptDocument[] {
  return scripts.filter(({ trusted, text }) => {
    const agent = /^agent ([^:]+): /.exec(text)?.[1];
    return !trusted && (agent === undefined || chosen.includes(agent));
  });
}
