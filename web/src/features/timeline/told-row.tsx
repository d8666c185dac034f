/** One thing that an agent did or said. */
import type { RunDocument } from "@contract/task-document.ts";
import {
  ChevronDown,
  ChevronRight,
  CircleAlert,
  FileText,
  Globe,
  ListChecks,
  MessageCircleMore,
  MoveRight,
  Pencil,
  Search,
  SquareTerminal,
  Trash2,
  Wrench,
  Zap,
} from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import { useLastAction } from "../../data/last-action.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { OutputBlock } from "../../ui/output-block.tsx";
import { useClock } from "../../ui/use-now.ts";
import { Line } from "./line.tsx";
import type { ToolKind } from "./log/read-line.ts";
import type { Told, ToolCall } from "./log/tell-log.ts";
import { PlanRow } from "./plan-row.tsx";

/** Lines that arrive draw the list anew ten times a second, and what was told before stays as it is. */
export const ToldRow = memo(function ToldRow(props: {
  readonly told: Told;
  readonly run: string;
  /** The run that works, for the last of its rows. */
  readonly live: RunDocument | null;
  readonly isOpen: boolean;
  readonly onToggle: (run: string, calls: readonly ToolCall[]) => void;
}) {
  const { told } = props;
  const { t } = useTranslation("timeline");
  switch (told.kind) {
    case "message":
      return (
        <Line icon={<Zap size={14} className="text-work-fill" />}>
          <bdi className="block whitespace-pre-wrap [overflow-wrap:anywhere]">{told.text.trim()}</bdi>
        </Line>
      );
    case "thought":
      return <Thought text={told.text} />;
    case "tool":
      return <ToolRow call={told} live={props.live} />;
    case "group":
      return (
        <GroupRow
          calls={told.calls}
          ms={told.ms}
          isOpen={props.isOpen}
          onToggle={() => props.onToggle(props.run, told.calls)}
        />
      );
    case "plan":
      return <PlanRow entries={told.entries} />;
    case "script":
      return <Script script={told} />;
    case "warning":
      return (
        <Line icon={<CircleAlert size={14} className="text-needs-fill" />}>
          <bdi className="text-ink-2 [overflow-wrap:anywhere]">{told.text}</bdi>
        </Line>
      );
    case "step":
      return (
        <Line icon={<MessageCircleMore size={14} />}>
          <span className="text-ink-3">{told.label}</span>{" "}
          <bdi className="whitespace-pre-wrap [overflow-wrap:anywhere]">{told.text}</bdi>
        </Line>
      );
    case "stderr":
      return (
        <Line
          icon={<SquareTerminal size={14} />}
          below={<OutputBlock text={told.text} label={t("stderr")} />}
        >
          <span className="text-ink-3">{t("stderr")}</span>
        </Line>
      );
  }
});

const ICONS: Readonly<Record<ToolKind, ReactNode>> = {
  read: <FileText size={14} />,
  edit: <Pencil size={14} />,
  delete: <Trash2 size={14} />,
  move: <MoveRight size={14} />,
  search: <Search size={14} />,
  execute: <SquareTerminal size={14} />,
  fetch: <Globe size={14} />,
  think: <ListChecks size={14} />,
  other: <Wrench size={14} />,
};

function ToolRow({ call, live }: { readonly call: ToolCall; readonly live: RunDocument | null }) {
  const { t } = useTranslation("timeline");
  const isBad = call.state === "failed" || call.state === "denied";
  const [isOpen, setOpen] = useState(isBad);
  const title = <ToolTitle call={call} />;
  const hasOutput = call.output !== null && call.output.trim() !== "";
  return (
    <Line
      icon={ICONS[call.tool]}
      isLive={live !== null && call.state === "working"}
      end={
        isBad ? (
          <>
            <Took ms={call.took?.ms ?? null} />
            <span className={`chip ${call.state === "denied" ? "family-needs" : "family-fail"}`}>
              {t(call.state === "denied" ? "denied" : "failed")}
            </span>
          </>
        ) : call.state === "working" && live !== null ? (
          <LastAge of={live} />
        ) : (
          <Took ms={call.took?.ms ?? null} />
        )
      }
      {...(isOpen && hasOutput ? { below: <OutputBlock text={call.output ?? ""} label={call.title} /> } : {})}
    >
      {hasOutput ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="block max-w-full truncate text-left hover:underline"
        >
          {title}
        </button>
      ) : (
        <span className="block truncate">{title}</span>
      )}
    </Line>
  );
}

/** How long it took, if that is known. */
function Took({ ms }: { readonly ms: number | null }) {
  const { span } = useFormat();
  return ms === null ? null : <span>{span(ms)}</span>;
}

/** How long ago the agent did something last. */
function LastAge({ of }: { readonly of: RunDocument }) {
  const { t } = useTranslation("timeline");
  const { rest } = useFormat();
  const action = useLastAction(of);
  const since = Date.parse(action?.at ?? "");
  const time = useClock((now) => rest(now - since));
  if (action === null) return <span className="text-work-ink">{t("working")}</span>;
  return (
    <span role="timer" aria-live="off" className="text-work-ink">
      {t("ago", { ns: "facts", time })}
    </span>
  );
}

/** The verb in words, the path or the command as code. */
function ToolTitle({ call: { tool, title } }: { readonly call: ToolCall }) {
  if (tool === "execute")
    return (
      <code>
        <bdi>{title}</bdi>
      </code>
    );
  const space = title.indexOf(" ");
  if (space < 0 || tool === "other" || tool === "think") return <bdi>{title}</bdi>;
  return (
    <>
      {title.slice(0, space)}{" "}
      <code>
        <bdi>{title.slice(space + 1)}</bdi>
      </code>
    </>
  );
}

function GroupRow(props: {
  readonly calls: readonly ToolCall[];
  readonly ms: number | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const { t } = useTranslation("timeline");
  const kinds = [...Map.groupBy(props.calls, ({ tool }) => tool)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const parts = kinds.map(([kind, calls]) => t(kind, { count: calls.length })).join(", ");
  const Chevron = props.isOpen ? ChevronDown : ChevronRight;
  return (
    <Line icon={<Chevron size={14} />} end={<Took ms={props.ms} />}>
      <button
        type="button"
        aria-expanded={props.isOpen}
        onClick={props.onToggle}
        className="text-left hover:underline"
      >
        {t("toolCalls", { count: props.calls.length })} · {parts}
      </button>
    </Line>
  );
}

function Thought({ text }: { readonly text: string }) {
  const { t } = useTranslation("timeline");
  const [isOpen, setOpen] = useState(false);
  return (
    <Line icon={<MessageCircleMore size={14} />}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="block w-full text-left text-ink-3"
      >
        <span className="visually-hidden">{t("thought")}: </span>
        <bdi className={isOpen ? "block whitespace-pre-wrap" : "line-clamp-1"}>{text.trim()}</bdi>
      </button>
    </Line>
  );
}

function Script({ script }: { readonly script: Extract<Told, { kind: "script" }> }) {
  const { t } = useTranslation("timeline");
  const { span } = useFormat();
  const [isOpen, setOpen] = useState(!script.isGood);
  const label = script.label === "setup" ? t("setup") : script.label;
  return (
    <Line
      icon={<SquareTerminal size={14} />}
      end={script.ms === null ? t("working") : span(script.ms)}
      {...(isOpen && script.output !== null
        ? { below: <OutputBlock text={script.output} label={label} /> }
        : {})}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="block max-w-full truncate text-left hover:underline"
      >
        {label} ·{" "}
        <code>
          <bdi>{script.command}</bdi>
        </code>
      </button>
    </Line>
  );
}
