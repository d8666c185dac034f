/** The frame of a step: a heading with its numbers, and what it holds. Keys go from one to the next. */
import type { ReactNode } from "react";

/** In the order of the steps. */
export const STEPS = ["gate", "checks", "message", "push", "pull", "merge"] as const;
export type StepId = (typeof STEPS)[number];

export function Panel(props: {
  /** The step that it belongs to. */
  readonly step: StepId;
  readonly title: string;
  readonly chips?: ReactNode;
  /** At the right of the heading. */
  readonly side?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section
      data-step={props.step}
      tabIndex={-1}
      aria-label={props.title}
      className="rounded-panel border border-line bg-surface px-3.5 pt-2.5 pb-3 shadow-1"
    >
      <header className="mb-[7px] flex min-h-6 min-w-0 flex-wrap items-center gap-1.5">
        <h2 className="text-body">{props.title}</h2>
        {props.chips}
        {props.side !== undefined && (
          <span className="ml-auto text-fine text-ink-3 tabular-nums">{props.side}</span>
        )}
      </header>
      {props.children}
    </section>
  );
}

export function goToStep(step: StepId): void {
  const panel = document.querySelector<HTMLElement>(`[data-step=${step}]`);
  panel?.focus();
  panel?.scrollIntoView({ block: "nearest" });
}

/** To the next panel, or the one before. */
export function stepPanel(by: 1 | -1): void {
  const panels = [...document.querySelectorAll<HTMLElement>("section[data-step]")];
  const at = panels.findIndex((panel) => panel.contains(document.activeElement));
  const next = panels[at === -1 ? 0 : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
