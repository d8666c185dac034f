/** A row with a stepper for each agent. One that cannot run keeps its row, with the reason and what to do. */
import { X } from "lucide-react";
import { type KeySpec, PRESET_KEYS } from "../../data/keys/key-table.ts";
import { setPreferences, usePreferences } from "../../data/preferences.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { AgentMark } from "../../ui/agent-mark.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeText } from "../../ui/code-text.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import { tell } from "../../ui/toast.tsx";
import { countOf, type Preset, presetName, type TaskForm, withCount, withModel } from "./form.ts";
import type { AgentState } from "./queries.ts";

interface RowsProps {
  readonly agents: readonly AgentState[];
  readonly form: TaskForm;
  readonly onChange: (change: (form: TaskForm) => TaskForm) => void;
}

export function AgentRows({ agents, form, onChange }: RowsProps) {
  return (
    <div className="flex flex-col gap-1 lg:min-h-0 lg:overflow-y-auto [&>*]:flex-none">
      {agents.map((agent) => (
        <AgentRow
          key={agent.id}
          agent={agent}
          count={countOf(form, agent.id)}
          model={form.agents[agent.id]?.model ?? ""}
          onCount={(count) => onChange((now) => withCount(now, agent.id, count))}
          onModel={(model) => onChange((now) => withModel(now, agent.id, model))}
        />
      ))}
    </div>
  );
}

interface RowProps {
  readonly agent: AgentState;
  readonly count: number;
  readonly model: string;
  readonly onCount: (count: number) => void;
  readonly onModel: (model: string) => void;
}

function AgentRow(props: RowProps) {
  const { t } = useTranslation("newTask");
  const { agent, count } = props;
  const takesModel = agent.executor !== "command" && agent.executor !== "demo";
  return (
    <div
      className={`flex min-h-[46px] items-center gap-2 rounded-control border px-2.5 py-[7px] ${
        count > 0 ? "border-line bg-surface shadow-1" : "border-transparent"
      }`}
    >
      <div className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <AgentMark executor={agent.executor} agent={null} />
          <span className={`min-w-0 font-medium [overflow-wrap:anywhere] ${agent.ready ? "" : "text-ink-3"}`}>
            {agent.id}
          </span>
          {takesModel && (
            <input
              aria-label={t("modelOf", { agent: agent.id })}
              placeholder={t("modelDefault")}
              className="h-6 w-20 pointer-coarse:h-11 rounded-chip border border-line bg-sunken px-1.5 text-fine text-ink-2 placeholder:text-ink-3"
              value={props.model}
              onChange={({ target }) => props.onModel(target.value)}
            />
          )}
        </span>
        <AgentNote agent={agent} />
      </div>
      <Stepper {...props} />
    </div>
  );
}

function AgentNote({ agent }: { readonly agent: AgentState }) {
  const { t } = useTranslation("newTask");
  if (!agent.ready)
    return (
      <p className="text-fine text-needs-ink">
        <CodeText text={agent.reason ?? ""} />
      </p>
    );
  return (
    <p className="flex items-center gap-1 text-fine text-ink-3">
      <VerdictSign verdict="pass" />
      {agent.reason === null ? t("ready") : <CodeText text={agent.reason} />}
      {agent.version !== null && <span>· {agent.version}</span>}
    </p>
  );
}

function Stepper({ agent, count, onCount }: RowProps) {
  const { t } = useTranslation("newTask");
  const off = agent.ready ? null : t("cannotRun", { agent: agent.id });
  const onKey = (event: React.KeyboardEvent<HTMLElement>) => {
    const by = { j: 1, k: -1 }[event.key];
    if (by !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      return toStepper(event.currentTarget, by);
    }
    const to = countFor(event.key, count);
    if (to === null || (off !== null && to > count) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onCount(to);
  };
  return (
    <span className="flex flex-none items-center rounded-control border border-line-strong bg-surface">
      <Button
        kind="quiet"
        size="small"
        tabIndex={-1}
        icon={<span aria-hidden="true">−</span>}
        label={t("fewerOf", { agent: agent.id })}
        off={count === 0 ? t("noneToTake") : null}
        className="max-sm:h-11! max-sm:w-11!"
        onClick={() => onCount(count - 1)}
      />
      <span
        role="spinbutton"
        data-stepper=""
        tabIndex={0}
        aria-label={t("countOf", { agent: agent.id })}
        aria-valuenow={count}
        aria-valuemin={0}
        aria-valuemax={9}
        onKeyDown={onKey}
        className={`w-6 text-center tabular-nums pointer-coarse:w-11 pointer-coarse:leading-[44px] ${count > 0 ? "font-semibold" : "text-ink-3"}`}
      >
        {count}
      </span>
      <Button
        kind="quiet"
        size="small"
        tabIndex={-1}
        icon={<span aria-hidden="true">+</span>}
        label={t("moreOf", { agent: agent.id })}
        off={off}
        className="max-sm:h-11! max-sm:w-11!"
        onClick={() => onCount(count + 1)}
      />
    </span>
  );
}

/** Past the boxes for models, to the number of the next agent. */
function toStepper(from: HTMLElement, by: number): void {
  const all = [...document.querySelectorAll<HTMLElement>("[data-stepper]")];
  all[all.indexOf(from) + by]?.focus();
}

/** The number that a key asks for; null if it asks for none. */
function countFor(key: string, count: number): number | null {
  if (/^[0-9]$/.test(key)) return Number(key);
  if (key === "+" || key === "=" || key === "ArrowUp" || key === "ArrowRight") return count + 1;
  if (key === "-" || key === "ArrowDown" || key === "ArrowLeft") return count - 1;
  return null;
}

export function Presets(props: {
  readonly presets: readonly Preset[];
  /** The agents that are chosen now, which can be kept. */
  readonly agents: TaskForm["agents"];
  readonly onChoose: (preset: Preset) => void;
}) {
  const { t } = useTranslation("newTask");
  const { presets: kept } = usePreferences();
  const chosen = Object.fromEntries(Object.entries(props.agents).filter(([, { count }]) => count > 0));
  const isKnown = props.presets.some(({ agents }) => sameAgents(agents, chosen));
  const keep = () => {
    setPreferences({ presets: [chosen, ...kept].slice(0, MOST_KEPT) });
    tell({ title: t("presetKept"), undo: () => setPreferences({ presets: kept }) });
  };
  if (props.presets.length === 0) return null;
  return (
    <div className="mt-1 flex flex-wrap items-center gap-1.5 bg-canvas py-1.5 text-small text-ink-3 lg:max-h-[5.5rem] lg:flex-none lg:overflow-y-auto">
      {t("presets")}
      {props.presets.map((preset, index) => (
        <PresetChip
          key={`${preset.own} ${preset.agent ?? ""}`}
          preset={preset}
          keySpec={PRESET_KEYS[index] ?? null}
          onChoose={() => props.onChoose(preset)}
          onDrop={() => setPreferences({ presets: kept.filter((_, at) => at !== preset.own) })}
        />
      ))}
      {Object.keys(chosen).length > 0 && !isKnown && (
        <Button kind="quiet" size="small" onClick={keep}>
          {t("savePreset")}
        </Button>
      )}
    </div>
  );
}

const MOST_KEPT = 9;

function sameAgents(one: TaskForm["agents"], other: TaskForm["agents"]): boolean {
  const told = (agents: TaskForm["agents"]) =>
    JSON.stringify(
      Object.entries(agents)
        .map(([id, { count, model }]) => [id, count, model])
        .sort(),
    );
  return told(one) === told(other);
}

function PresetChip(props: {
  readonly preset: Preset;
  readonly keySpec: KeySpec | null;
  readonly onChoose: () => void;
  readonly onDrop: () => void;
}) {
  const { t } = useTranslation("newTask");
  const { preset } = props;
  const name =
    preset.own !== null ? presetName(preset) : preset.agent === null ? t("oneOfEach") : `${preset.agent} ×3`;
  return (
    <span className="flex h-5 min-w-0 items-center rounded-chip bg-sunken text-fine font-medium text-ink-2 shadow-[inset_0_0_0_1px_var(--line)] hover:bg-hover max-sm:h-11">
      <button
        type="button"
        className="-outline-offset-2 flex h-full min-w-0 items-center gap-1 px-1.5"
        onClick={props.onChoose}
      >
        <span className="min-w-0 truncate">{name}</span>
        <KeyCap spec={props.keySpec} />
      </button>
      {preset.own !== null && (
        <button
          type="button"
          aria-label={t("dropPreset", { name })}
          className="flex h-full min-w-5 items-center justify-center text-ink-3 hover:text-ink max-sm:min-w-11"
          onClick={props.onDrop}
        >
          <X size={12} aria-hidden="true" />
        </button>
      )}
    </span>
  );
}
