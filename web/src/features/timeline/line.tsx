/** One line of the timeline: an icon, the words, and what stands at the right. */
import type { ReactNode } from "react";

export function Line(props: {
  readonly icon: ReactNode;
  readonly end?: ReactNode;
  readonly below?: ReactNode;
  readonly isLive?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={`px-3 py-0.5 text-small ${props.isLive ? "bg-work-soft" : ""}`}>
      <div className="timeline-line flex gap-2">
        <span className="mt-0.5 flex-none text-ink-3" aria-hidden="true">
          {props.icon}
        </span>
        <span className="min-w-0 flex-1">{props.children}</span>
        {props.end !== undefined && (
          <span className="flex flex-none items-center gap-1.5 text-fine text-ink-3 tabular-nums">
            {props.end}
          </span>
        )}
      </div>
      {props.below !== undefined && <div className="mt-1 mb-0.5 ml-[22px]">{props.below}</div>}
    </div>
  );
}
