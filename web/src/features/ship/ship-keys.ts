/** The keys of the way out (design system, section 11). They press what the panels show. */
import { useNavigate, useRouter } from "@tanstack/react-router";
import { NUMBER_KEYS } from "../../data/keys/key-table.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { copyWords } from "../attempts/outside.ts";
import { escapeKey } from "../keys/escape-key.ts";
import { useKeys } from "../keys/keys.ts";
import type { Suggested } from "./facts.ts";
import { goToStep, STEPS, stepPanel } from "./panel.tsx";
import { stepThread } from "./pull/walk-threads.ts";

export function useShipKeys(of: {
  readonly shown: AttemptCard;
  readonly siblings: readonly AttemptCard[];
  readonly suggested: Suggested | null;
}): void {
  const { t } = useTranslation("keys");
  const { t: s } = useTranslation("ship");
  const navigate = useNavigate();
  const router = useRouter();
  const { shown, siblings, suggested } = of;
  const params = { id: shown.attempt.id };
  useKeys([
    { spec: "j", words: s("section"), run: () => stepPanel(1), inBar: true },
    { spec: "k", words: s("section"), run: () => stepPanel(-1), inBar: true },
    ...NUMBER_KEYS.map((spec, index) => {
      const step = STEPS[index];
      return { spec, words: t("step"), run: () => step !== undefined && goToStep(step) };
    }),
    {
      spec: "a",
      words: t("suggested"),
      inBar: true,
      run: () => suggested !== null && press(suggested),
    },
    { spec: "O", words: t("override"), run: () => press("override"), inBar: true },
    { spec: "o", words: s("openOnForge"), run: () => press("open_forge"), inBar: true },
    {
      spec: "r",
      words: t("write"),
      run: () => void navigate({ to: "/attempts/$id", params, search: { write: "1" } }),
    },
    {
      spec: "v",
      words: t("review"),
      inBar: true,
      run: () => void navigate({ to: "/attempts/$id/review", params }),
    },
    {
      spec: "=",
      words: t("compare"),
      run: () => siblings.length > 1 && void navigate({ to: "/tasks/$id", params: { id: shown.task.id } }),
    },
    { spec: "S", words: t("ship"), run: () => goToStep(STEPS[0]) },
    { spec: "m", words: t("nextThread"), run: () => stepThread() },
    { spec: "y", words: t("copy"), run: () => void copyWords(shown.attempt.commit ?? shown.attempt.branch) },
    { spec: "enter", words: t("open"), run: () => void navigate({ to: "/attempts/$id", params }) },
    escapeKey(t("back"), () => {
      if (router.history.canGoBack()) router.history.back();
      else void navigate({ to: "/attempts/$id", params });
    }),
  ]);
}

/** Presses the button of this kind that is nearest to the focus, else the first; one that is off tells why. */
function press(act: string): void {
  const near = document.activeElement?.closest("main li, main section[data-step]");
  const button = (near ?? document).querySelector<HTMLElement>(`[data-act=${act}]`) ?? first(act);
  button?.focus();
  button?.click();
}

const first = (act: string) => document.querySelector<HTMLElement>(`[data-act=${act}]`);
