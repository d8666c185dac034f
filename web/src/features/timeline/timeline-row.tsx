/** A row of a timeline, of any kind. */
import { cleanLine } from "@contract/text.ts";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { part } from "../../ui/loaded/part.tsx";
import type { TimelineRow } from "./rows.ts";
import { ChecksRow, CommitRow, NoteRow, ProofRow, RedCheckRow, StopRow } from "./run-end.tsx";
import { RunHead, RunPrompt } from "./run-head.tsx";
import { useTimelineActs } from "./timeline-acts.ts";
import { ToldRow } from "./told-row.tsx";
import type { Heading } from "./use-heading.ts";

/** Most runs end well. */
const Outcome = part(async () => (await import("./outcome.tsx")).Outcome);

export function RowOf(props: {
  readonly row: TimelineRow;
  readonly beside: string | null;
  readonly heading: Heading;
}) {
  const { row } = props;
  const { t } = useTranslation("timeline");
  const acts = useTimelineActs();
  const { run } = row;
  switch (row.kind) {
    case "head":
      return <RunHead run={run} />;
    case "prompt":
      return <RunPrompt run={run} isFirst={run.number === 1} />;
    case "closed":
      return <Quiet onPress={() => acts.openLog(run.id)} words={t("showLog")} />;
    case "loading":
      return <p className="px-3 py-1 text-small text-ink-3">{t("loading", { ns: "shell" })}</p>;
    case "more":
      return <More row={row} beside={props.beside} heading={props.heading} />;
    case "new":
      return <NewMark at={row.at} />;
    case "told":
      return (
        <div className={row.isInner ? "pl-4" : ""}>
          <ToldRow
            told={row.told}
            run={run.id}
            live={row.isLast ? run : null}
            isOpen={row.isOpen}
            onToggle={acts.toggleGroup}
          />
        </div>
      );
    case "raw":
      return (
        <code className="flex gap-2 px-3 text-[10.5px] leading-[17px]">
          <span className="w-12 flex-none text-right text-ink-3 tabular-nums">{row.line.n}</span>
          <span className="w-12 flex-none text-ink-3">{row.line.source}</span>
          <bdi className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {cleanLine(JSON.stringify(row.line.event))}
          </bdi>
        </code>
      );
    case "proof":
      return <ProofRow run={run} />;
    case "checks":
      return <ChecksRow run={run} checks={row.checks} />;
    case "check":
      return <RedCheckRow run={run} check={row.check} />;
    case "commit":
      return <CommitRow run={run} />;
    case "note":
      return <NoteRow message={row.message} code={row.code} />;
    case "stop":
      return <StopRow run={run} />;
    case "outcome":
      return <Outcome run={run} />;
  }
}

/**
 * Near to what is in sight, each push towards it reads a page. It reads on by itself as long as pages bring no row, as
 * in a talk with many calls.
 */
function More(props: {
  readonly row: Extract<TimelineRow, { readonly kind: "more" }>;
  readonly beside: string | null;
  readonly heading: Heading;
}) {
  const { t } = useTranslation("timeline");
  const { readMore } = useTimelineActs();
  const { beside, heading } = props;
  const { run, where, count, at } = props.row;
  const last = useSyncExternalStore(heading.listen, heading.last);
  const answered = useRef<{ readonly push: number; readonly beside: string | null } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page its place is another one.
  useEffect(() => {
    if (last?.where !== where) return;
    if (answered.current?.push === last.count && answered.current.beside !== beside) return;
    answered.current = { push: last.count, beside };
    readMore(run.id, where);
  }, [last, run.id, where, at, beside]);
  return (
    <Quiet
      onPress={() => readMore(run.id, where)}
      words={where === "newer" ? t("later") : t("earlier", { count })}
    />
  );
}

function Quiet({ words, onPress }: { readonly words: string; readonly onPress: () => void }) {
  return (
    <div className="px-3 py-0.5">
      <button type="button" onClick={onPress} className="text-small text-accent hover:underline">
        {words}
      </button>
    </div>
  );
}

function NewMark({ at }: { readonly at: string | null }) {
  const { t } = useTranslation("timeline");
  const { clock } = useFormat();
  return (
    <div className="flex items-center gap-2 px-3 py-1.5 text-fine text-accent">
      <span className="h-px flex-1 bg-accent/50" aria-hidden="true" />
      {at === null ? t("newSinceUnknown") : t("newSince", { time: clock(at) })}
      <span className="h-px flex-1 bg-accent/50" aria-hidden="true" />
    </div>
  );
}
