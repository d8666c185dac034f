/** Attempt: its runs, its patch, its facts, and the box that continues the conversation. */
import { cleanLine } from "@contract/text.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { addWords, useKeptWords } from "../data/kept-words.ts";
import { FactsPanel } from "../features/attempt-facts/facts-panel.tsx";
import { AttemptActs, SiblingLinks } from "../features/attempts/attempt-bar.tsx";
import { useLookOnReturn } from "../features/attempts/situation.ts";
import { type ShownAttempt, useAttemptOfAddress } from "../features/attempts/use-attempt.ts";
import { viewedQuery } from "../features/attempts/viewed.ts";
import { useAttemptKeys } from "../features/continue-box/attempt-keys.ts";
import { ContinueBox } from "../features/continue-box/continue-box.tsx";
import { ChangesPanel } from "../features/patch/changes-panel.tsx";
import { sideOf } from "../features/patch/sides.ts";
import { PathTo, Screen } from "../features/shell/screen.tsx";
import { useTerminalPanel } from "../features/terminal/use-terminal-panel.tsx";
import { TimelinePanel } from "../features/timeline/timeline-panel.tsx";
import { useTranslation } from "../i18n/use-translation.tsx";
import { PanelHandle, usePanelWidths } from "../ui/panels/panel-handle.tsx";
import { ProblemNote } from "../ui/problem-note.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { useMedia } from "../ui/use-media.ts";
import type { AttemptSearch } from "./search.ts";

export function AttemptRoute() {
  const { t } = useTranslation("shell");
  const { id } = useParams({ from: "/attempts/$id" });
  const { found, error } = useAttemptOfAddress(id);
  const { shown, siblings } = found ?? {};
  return (
    <Screen
      title={
        shown === undefined ? t(error === null ? "loading" : "notFoundTitle") : cleanLine(shown.task.title)
      }
      crumbs={<PathTo repository={shown?.task.repository} />}
      beside={
        shown !== undefined && (
          <span className="flex min-w-0 max-w-1/2 flex-none max-lg:hidden">
            <SiblingLinks shown={shown} siblings={siblings ?? []} />
          </span>
        )
      }
      acts={shown !== undefined && <AttemptActs shown={shown} siblings={siblings ?? []} />}
    >
      {error !== null && found === null && (
        <div className="p-4">
          <ProblemNote error={error} />
        </div>
      )}
      {found !== null && <Panels key={id} found={found} />}
    </Screen>
  );
}

/** The widths of the panels beside the diff, until a person moves their handles. */
const WIDTHS = { left: 392, right: 272 };

/** A terminal stands below all panels. */
function Panels({ found }: { readonly found: ShownAttempt }) {
  const panels = useRef<HTMLDivElement>(null);
  useLookOnReturn(found.shown.attempt.id);
  const terminal = useTerminalPanel(found.shown.attempt.id, () => panels.current?.focus());
  return (
    <>
      <div ref={panels} tabIndex={-1} className="flex min-h-0 flex-1 flex-col">
        <PanelGrid found={found} onTerminal={terminal.open} />
      </div>
      {terminal.panel}
    </>
  );
}

function PanelGrid({ found, onTerminal }: { readonly found: ShownAttempt; readonly onTerminal: () => void }) {
  const { shown } = found;
  const { attempt, task } = shown;
  const { t } = useTranslation("facts");
  const search = useSearch({ from: "/attempts/$id" });
  const navigate = useNavigate({ from: "/attempts/$id" });
  const set = (change: { readonly [Key in keyof AttemptSearch]?: AttemptSearch[Key] | undefined }) =>
    void navigate({ search: kept({ ...search, ...change }), replace: true });
  const { data: viewed } = useQuery(viewedQuery(attempt.id));
  const [words, setWords] = useKeptWords(attempt.id);
  const facts = useFactsPanel();
  const widths = usePanelWidths("attempt", WIDTHS);
  const [isTimelineAway, setTimelineAway] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const write = (given: string) => {
    if (given !== "") addWords(attempt.id, given);
    if (search.tab !== undefined) set({ tab: undefined });
    setTimelineAway(false);
    // At once, so that no letter is lost; on a small screen the box is there a moment later.
    box.current?.focus();
    if (document.activeElement !== box.current) requestAnimationFrame(() => box.current?.focus());
  };
  useEffect(() => {
    if (search.write === "1") box.current?.focus();
  }, [search.write]);
  const seen = viewed?.seen_run ?? null;
  const side = sideOf(attempt, { asked: search.run, seen });
  const showRun = (run: string) => set({ run, file: undefined, tab: "changes" });
  const showFacts = () => {
    facts.toggle();
    set({ tab: search.tab === "facts" ? undefined : "facts" });
  };
  /** On a wide screen they are there already. */
  const lookAtFacts = () => (facts.isShown() ? facts.panel.current?.focus() : showFacts());
  useAttemptKeys({
    found,
    onWrite: () => write(""),
    onRun: showRun,
    onFacts: showFacts,
    onTimeline: () => setTimelineAway(!isTimelineAway),
    onTerminal,
    closeFacts: facts.isDrawer ? facts.toggle : null,
  });
  const tab = search.tab ?? "timeline";
  const at = (name: string) => (tab === name ? "" : "max-lg:hidden");
  return (
    <div
      style={widths}
      className={`relative grid min-h-0 flex-1 max-lg:grid-rows-[auto_minmax(0,1fr)] ${columnsOf({ left: !isTimelineAway, right: !facts.isToggled })}`}
    >
      <Tabs
        found={found}
        tab={tab}
        onTab={(value) => set({ tab: value === "timeline" ? undefined : value })}
      />
      <section
        className={`flex min-h-0 min-w-0 flex-col overflow-y-auto border-line lg:border-r ${at("timeline")} ${isTimelineAway ? "lg:hidden" : ""}`}
      >
        <TimelinePanel
          attempt={attempt}
          repository={task.repository.id}
          view={search.talk ?? "all"}
          onView={(view) => set({ talk: view === "all" ? undefined : view })}
          onShowDiff={showRun}
          onWrite={write}
        />
        <ContinueBox
          shown={shown}
          words={words}
          onWords={setWords}
          box={box}
          onLook={lookAtFacts}
          isReviewAsked={search.ask === "review"}
          onReviewAsked={(isAsked) => set({ ask: isAsked ? "review" : undefined })}
          onTerminal={onTerminal}
        />
      </section>
      <section className={`flex min-h-0 min-w-0 flex-col ${at("changes")}`}>
        <ChangesPanel
          shown={shown}
          side={side}
          canSince={seen !== null}
          isSplit={search.mode === "split"}
          onSide={showRun}
          onSplit={(isSplit) => set({ mode: isSplit ? "split" : undefined })}
          onFacts={facts.toggle}
        />
      </section>
      <aside
        ref={facts.panel}
        tabIndex={-1}
        aria-label={t("title")}
        className={`min-h-0 overflow-y-auto border-line lg:border-l ${at("facts")} ${facts.isToggled ? DRAWER : "lg:max-xl:hidden"}`}
      >
        <FactsPanel shown={shown} />
      </aside>
      {!isTimelineAway && (
        <PanelHandle
          screen="attempt"
          side="left"
          first={WIDTHS.left}
          label={t("widthOf", { ns: "shell", panel: t("title", { ns: "timeline" }) })}
          className="max-lg:hidden"
        />
      )}
      {!facts.isToggled && (
        <PanelHandle
          screen="attempt"
          side="right"
          first={WIDTHS.right}
          label={t("widthOf", { ns: "shell", panel: t("title") })}
          className="max-xl:hidden"
        />
      )}
    </div>
  );
}

const columnsOf = ({ left, right }: { readonly left: boolean; readonly right: boolean }) =>
  [
    left ? "lg:grid-cols-[var(--left)_minmax(0,1fr)]" : "lg:grid-cols-[minmax(0,1fr)]",
    right &&
      (left
        ? "xl:grid-cols-[var(--left)_minmax(0,1fr)_var(--right)]"
        : "xl:grid-cols-[minmax(0,1fr)_var(--right)]"),
  ]
    .filter(Boolean)
    .join(" ");

/** Beside the diff if there is room; else over it. */
const DRAWER =
  "xl:hidden lg:max-xl:absolute lg:max-xl:inset-y-0 lg:max-xl:right-0 lg:max-xl:z-20 lg:max-xl:w-[272px] lg:max-xl:bg-canvas lg:max-xl:shadow-3";

/** A wide screen has the facts unless a person puts them away; a narrow one has them when a person asks. */
function useFactsPanel() {
  const [isToggled, setToggled] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const isWide = useMedia("(min-width: 1280px)");
  const opener = useRef<Element | null>(null);
  const isDrawer = isToggled && !isWide;
  useEffect(() => {
    if (isDrawer) panel.current?.focus();
    else if (opener.current instanceof HTMLElement) opener.current.focus();
  }, [isDrawer]);
  const toggle = () => {
    opener.current = isDrawer ? opener.current : document.activeElement;
    setToggled(!isToggled);
  };
  const isShown = () => (panel.current?.getClientRects().length ?? 0) > 0;
  return { panel, isToggled, isDrawer, isShown, toggle };
}

type Tab = "timeline" | "changes" | "facts";

function Tabs(props: {
  readonly found: ShownAttempt;
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
}) {
  const { t } = useTranslation("timeline");
  const { tab, onTab, found } = props;
  return (
    <div className="flex justify-between gap-2 overflow-x-auto border-b border-line px-3 py-1.5 lg:hidden">
      <Segmented
        label={t("title")}
        value={tab}
        options={[
          { value: "timeline", words: t("title") },
          { value: "changes", words: t("changes", { ns: "patch" }) },
          { value: "facts", words: t("title", { ns: "facts" }) },
        ]}
        onChange={onTab}
      />
      <SiblingLinks {...found} />
    </div>
  );
}

/** Without what is not set. */
function kept(
  search: { readonly [Key in keyof AttemptSearch]?: AttemptSearch[Key] | undefined },
): AttemptSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined),
  ) as AttemptSearch;
}
