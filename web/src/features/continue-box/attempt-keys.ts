/** The keys of an attempt's screen. */
import { useNavigate, useRouter } from "@tanstack/react-router";
import { NUMBER_KEYS } from "../../data/keys/key-table.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { useStop } from "../attempts/act.ts";
import { copyWords, openOutside } from "../attempts/outside.ts";
import { runsWithDiff } from "../attempts/runs-with-diff.ts";
import type { ShownAttempt } from "../attempts/use-attempt.ts";
import { type KeyBinding, useKeys } from "../keys/keys.ts";
import { workingRun } from "./working-run.ts";

export function useAttemptKeys(options: {
  readonly found: ShownAttempt;
  readonly onWrite: () => void;
  readonly onRun: (run: string) => void;
  readonly onFacts: () => void;
  readonly onTimeline: () => void;
  readonly onTerminal: () => void;
  /** Null if no drawer is open. */
  readonly closeFacts: (() => void) | null;
}): void {
  const { t } = useTranslation("keys");
  const navigate = useNavigate();
  const router = useRouter();
  const stop = useStop();
  const { shown, siblings } = options.found;
  const { attempt, task } = shown;
  const params = { id: attempt.id };
  const toSibling = (by: 1 | -1) => () => {
    const next = siblings[siblings.findIndex((each) => each.attempt.id === attempt.id) + by];
    if (next !== undefined) void navigate({ to: "/attempts/$id", params: { id: next.attempt.id } });
  };
  /** Of several runs that offer it, the latest one is meant. */
  const press = (act: string) => () =>
    [...document.querySelectorAll<HTMLButtonElement>(`main [data-act=${act}]`)].at(-1)?.click();
  const working = workingRun(attempt.runs);
  const runs = runsWithDiff(attempt);
  const bindings: readonly KeyBinding[] = [
    {
      spec: "r",
      asks: "followUp",
      words: t("write"),
      run: () => toAnswer() || options.onWrite(),
      inBar: true,
    },
    {
      spec: "s",
      asks: "stop",
      words: t("stop"),
      run: () => working !== null && stop.mutate({ type: "run", id: working.id }),
      inBar: working !== null,
    },
    {
      spec: "a",
      words: t("suggested"),
      run: () => toAnswer() || press("suggested")(),
      inBar: working?.question != null || attempt.runs.at(-1)?.failure != null,
    },
    { spec: "d", asks: "answer", words: t("deny"), run: press("deny"), inBar: working?.question != null },
    ...NUMBER_KEYS.map((spec, index) => {
      const run = runs.find(({ number }) => number === index + 1);
      return {
        spec,
        words: t("runDiff"),
        run: () => run !== undefined && options.onRun(run.id),
        inBar: index < 3 && run !== undefined,
      };
    }),
    { spec: "h", words: t("attempt"), run: toSibling(-1), inBar: siblings.length > 1 },
    { spec: "l", words: t("attempt"), run: toSibling(1), inBar: siblings.length > 1 },
    {
      spec: "v",
      words: t("review"),
      run: () => void navigate({ to: "/attempts/$id/review", params }),
      inBar: true,
    },
    {
      spec: "=",
      words: t("compare"),
      run: () => void navigate({ to: "/tasks/$id", params: { id: task.id } }),
      inBar: siblings.length > 1,
    },
    {
      spec: "S",
      words: t("ship"),
      run: () => void navigate({ to: "/attempts/$id/ship", params }),
      inBar: true,
    },
    {
      spec: ".",
      words: t("actions"),
      // What asks is the focused thing: `.` is "Always here" there.
      run: () =>
        ["main [data-act=always]", "main [data-menu]"]
          .map((act) => document.querySelector<HTMLButtonElement>(act))
          .find((button) => button !== null)
          ?.click(),
      inBar: true,
    },
    { spec: "mod+enter", asks: "followUp", words: t("send"), run: options.onWrite },
    { spec: "o", words: t("openOutside"), run: () => openOutside(shown) },
    { spec: "y", words: t("copy"), run: () => void copyWords(focusedText() ?? attempt.branch) },
    { spec: "\\", words: t("facts"), run: options.onFacts, inBar: true },
    { spec: "|", words: t("timeline"), run: options.onTimeline },
    { spec: "`", asks: "openTerminal", words: t("terminal"), run: options.onTerminal },
    {
      spec: "escape",
      words: t("back"),
      run: () => {
        if (options.closeFacts !== null) options.closeFacts();
        else if (router.history.canGoBack()) router.history.back();
        else void navigate({ to: "/" });
      },
      inBar: true,
    },
  ];
  useKeys(bindings);
}

/** To the box in which a question is answered; false if nothing asks for words. */
function toAnswer(): boolean {
  const box = document.querySelector<HTMLElement>("main [data-card] textarea");
  box?.focus();
  return box !== null;
}

/** What an event says, if one has the focus. */
function focusedText(): string | null {
  return document.activeElement?.closest<HTMLElement>("[data-event]")?.innerText ?? null;
}
