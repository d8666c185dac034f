/** The keys of a review. */

import { type KeySpec, NUMBER_KEYS } from "../../data/keys/key-table.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { DiffHandle } from "../diff/handle.ts";
import type { LinePlace } from "../diff/patch/line-of.ts";
import { type KeyBinding, useKeys } from "../keys/keys.ts";

interface ReviewActs {
  readonly comment: (place: LinePlace) => void;
  readonly viewed: () => void;
  readonly nextComment: () => void;
  readonly toggleLayout: () => void;
  readonly toggleSpace: () => void;
  readonly toggleSides: () => void;
  readonly showRun: (number: number) => void;
  readonly send: () => void;
  readonly togglePanel: (which: "files" | "drafts") => void;
  readonly ship: () => void;
  readonly attempt: () => void;
  readonly compare: () => void;
  readonly copy: () => void;
  readonly openComment: () => void;
  readonly reply: () => void;
  readonly openOutside: () => void;
  readonly notViewed: () => void;
}

export function useReviewKeys(handle: () => DiffHandle | null, acts: ReviewActs): void {
  const { t } = useTranslation("keys");
  const comment = () => {
    const place = handle()?.selected() ?? null;
    if (place !== null) acts.comment(place);
  };
  const bar = (spec: KeySpec, words: string, run: () => void): KeyBinding => ({
    spec,
    words,
    run,
    inBar: true,
  });
  const plain = (spec: KeySpec, words: string, run: () => void): KeyBinding => ({ spec, words, run });
  useKeys([
    bar("j", t("line"), () => handle()?.moveLine(1)),
    plain("k", t("line"), () => handle()?.moveLine(-1)),
    bar("]", t("file"), () => handle()?.moveFile(1)),
    plain("[", t("file"), () => handle()?.moveFile(-1)),
    bar("}", t("change"), () => handle()?.moveChange(1)),
    plain("{", t("change"), () => handle()?.moveChange(-1)),
    { ...bar("c", t("comment"), comment), asks: "addComment" },
    bar("C", t("severalLines"), () => handle()?.select()),
    { ...bar("e", t("viewed"), acts.viewed), asks: "markViewed" },
    bar("u", t("layout"), acts.toggleLayout),
    bar("m", t("nextComment"), acts.nextComment),
    plain("W", t("whiteSpace"), acts.toggleSpace),
    plain("t", t("sides"), acts.toggleSides),
    ...NUMBER_KEYS.map((spec, index) => plain(spec, t("runDiff"), () => acts.showRun(index + 1))),
    { spec: "mod+enter", asks: "followUp", words: t("send"), run: acts.send, inBar: true, whileTyping: true },
    plain("/", t("filter"), () => document.querySelector<HTMLElement>("[data-filter]")?.focus()),
    plain("\\", t("drafts"), () => acts.togglePanel("drafts")),
    plain("|", t("files"), () => acts.togglePanel("files")),
    { ...plain("r", t("reply"), acts.reply), asks: "addComment" },
    plain("enter", t("open"), acts.openComment),
    { ...plain("v", t("notViewed"), acts.notViewed), asks: "markViewed" },
    plain("o", t("openOutside"), acts.openOutside),
    plain("y", t("copy"), acts.copy),
    plain("S", t("ship"), acts.ship),
    plain("=", t("compare"), acts.compare),
    bar("escape", t("back"), acts.attempt),
  ]);
}
