/** Names an agent: a two-letter mark of its executor and its id. Agents have no logos. */

const MARKS: Readonly<Record<string, string>> = {
  "claude-code": "cc",
  codex: "cx",
  gemini: "gm",
  opencode: "oc",
  acp: "ac",
  command: "$_",
  demo: "de",
};

export function AgentMark(props: {
  readonly executor: string;
  readonly agent: string | null;
  readonly model?: string | null;
  /** Leaves the model to the hint. */
  readonly isShort?: boolean;
}) {
  const { executor, agent, model = null, isShort = false } = props;
  return (
    <span
      className={`inline-flex items-center gap-[5px] align-middle text-fine text-ink-2 whitespace-nowrap ${agent === null ? "flex-none" : "min-w-0 max-w-full"}`}
    >
      <span
        aria-hidden="true"
        className="h-3.5 w-[18px] flex-none rounded-[3px] bg-sunken text-center font-mono text-[9px] leading-[14px] font-semibold shadow-[inset_0_0_0_1px_var(--line-strong)]"
      >
        {MARKS[executor] ?? executor.slice(0, 2)}
      </span>
      {agent !== null && (
        <span className="truncate" title={model === null ? agent : `${agent} ${model}`}>
          {agent}
          {model !== null && !isShort && <span className="text-ink-3"> {model}</span>}
        </span>
      )}
    </span>
  );
}
