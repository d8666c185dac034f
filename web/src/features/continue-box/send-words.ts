/** Sends words to the agent: behind the run that works, or in its place once it has stopped. */
import type { RunDocument } from "@contract/task-document.ts";
import { useMutation } from "@tanstack/react-query";
import { answerOf, api, once } from "../../data/api.ts";
import { tellProblem } from "../../ui/toast.tsx";
import { useShowBegun } from "../attempts/act.ts";

interface SentWords {
  readonly instruction: string;
  readonly mergeBase: boolean;
  /** The run that is to stop before; its files are kept. */
  readonly stopFirst: RunDocument | null;
}

export function useSendWords(options: {
  readonly attempt: string;
  readonly onSent: () => void;
  /** Gets the words back. */
  readonly onRefused: (words: string) => void;
}) {
  const showBegun = useShowBegun();
  return useMutation({
    mutationFn: async ({ instruction, mergeBase, stopFirst }: SentWords) => {
      if (stopFirst !== null) await answerOf(api.stop({ type: "run", id: stopFirst.id }));
      return answerOf(api.followUp(options.attempt, { instruction, merge_base: mergeBase }, once()));
    },
    onSuccess: (made) => {
      showBegun(made);
      options.onSent();
    },
    onError: (error, { instruction }) => {
      options.onRefused(instruction);
      tellProblem(error);
    },
  });
}
