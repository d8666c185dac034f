/** Holds which threads and failed checks of the pull request go into the next run, and sends them. */
import type { PullRequestSummary } from "@contract/pull-request-document.ts";
import { useState } from "react";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { tell } from "../../../ui/toast.tsx";
import { useFollowUp } from "../../attempts/act.ts";
import { useKeys } from "../../keys/keys.ts";

export interface NextRun {
  /** Ids of open threads. */
  readonly threads: readonly string[];
  /** Names of failed checks. */
  readonly checks: readonly string[];
  readonly has: (point: Point) => boolean;
  readonly toggle: (point: Point) => void;
  readonly send: (what: { readonly threads: readonly string[]; readonly checks: readonly string[] }) => void;
  readonly isSending: boolean;
}

export interface Point {
  readonly kind: "thread" | "check";
  readonly id: string;
}

const keyOf = ({ kind, id }: Point) => `${kind} ${id}`;

/** All that is open goes along, except what a person leaves out. */
export function useNextRun(attempt: string, summary: PullRequestSummary | null): NextRun {
  const { t } = useTranslation("ship");
  const { t: k } = useTranslation("keys");
  const followUp = useFollowUp(attempt);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const open = summary?.open_threads.map(({ id }): Point => ({ kind: "thread", id })) ?? [];
  const failed = summary?.failed_checks.map((id): Point => ({ kind: "check", id })) ?? [];
  const all = [...failed, ...open];
  const has = (point: Point) => !left.has(keyOf(point));
  const toggle = (point: Point) =>
    setLeft((before) => {
      const next = new Set(before);
      if (!next.delete(keyOf(point))) next.add(keyOf(point));
      return next;
    });
  const toggleFocused = () => {
    const focused = focusedPoint();
    const point = all.find((one) => focused !== null && keyOf(one) === keyOf(focused)) ?? all[0];
    if (point !== undefined) toggle(point);
  };
  useKeys([{ spec: "+", words: k("addToRun"), run: toggleFocused, inBar: all.length > 0 }]);
  return {
    threads: open.filter(has).map(({ id }) => id),
    checks: failed.filter(has).map(({ id }) => id),
    has,
    toggle,
    isSending: followUp.isPending,
    send: ({ threads, checks }) =>
      followUp.mutate(
        {
          ...(threads.length === 0 ? {} : { from_review: [...threads] }),
          ...(checks.length === 0 ? {} : { from_checks: [...checks] }),
        },
        { onSuccess: () => tell({ title: t("sent") }) },
      ),
  };
}

function focusedPoint(): Point | null {
  const { thread, forgeCheck } = pointOf(document.activeElement)?.dataset ?? {};
  if (thread !== undefined) return { kind: "thread", id: thread };
  return forgeCheck === undefined ? null : { kind: "check", id: forgeCheck };
}

const pointOf = (element: Element | null) =>
  element?.closest<HTMLElement>("[data-thread], [data-forge-check]") ?? null;
