/** Draws the signs of states: shape first, so that they are read without colour (design: 14 units square). */
import type { StateSign as Sign } from "@contract/words/present-run.ts";
import type { ReactNode } from "react";
import { BreathingDot } from "./live/breathing-dot.tsx";

const line = { fill: "none", stroke: "var(--fill, currentColor)", strokeWidth: 1.5 } as const;
const round = { strokeLinecap: "round", strokeLinejoin: "round" } as const;
const solid = { fill: "var(--fill, currentColor)" } as const;
const inner = { fill: "none", stroke: "var(--surface)", strokeWidth: 1.6, ...round } as const;
const ring = <circle cx="7" cy="7" r="5.2" {...line} />;
const dashes = <circle cx="7" cy="7" r="5.2" {...line} strokeDasharray="2.1 2" />;
const disc = <circle cx="7" cy="7" r="6" {...solid} />;
const diamond = <path d="M7 .9 13.1 7 7 13.1.9 7z" {...solid} />;
const withRing = (mark: ReactNode) => (
  <>
    {ring}
    {mark}
  </>
);

const DRAWINGS: Readonly<Record<Sign, ReactNode>> = {
  "ring-dashed": dashes,
  "ring-quarter": withRing(<path d="M7 7V3.2A3.8 3.8 0 0 1 10.8 7z" {...solid} />),
  "ring-dot": withRing(<circle cx="7" cy="7" r="2.4" {...solid} />),
  "ring-tick": withRing(<path d="m4.6 7.2 1.7 1.7 3.1-3.3" {...line} {...round} />),
  "ring-half": withRing(<path d="M7 3.2a3.8 3.8 0 0 1 0 7.6z" {...solid} />),
  "ring-arrow": withRing(<path d="M7 9.8V4.4M4.8 6.5 7 4.3l2.2 2.2" {...line} {...round} />),
  "ring-equals": withRing(<path d="M4.6 5.8h4.8M4.6 8.2h4.8" {...line} {...round} />),
  "ring-stroke": withRing(<path d="m3.5 10.5 7-7" {...line} />),
  "ring-question": (
    <>
      {dashes}
      <path d="M5.8 5.7a1.3 1.3 0 1 1 1.8 1.2c-.5.2-.6.4-.6.9M7 9.5v.1" {...line} {...round} />
    </>
  ),
  node: (
    <>
      <path d="M.8 7h3M10.2 7h3" {...line} {...round} />
      <circle cx="7" cy="7" r="3.1" {...line} />
    </>
  ),
  "diamond-bang": (
    <>
      {diamond}
      <path d="M7 4v3.4M7 9.7v.1" {...inner} />
    </>
  ),
  "diamond-question": (
    <>
      {diamond}
      <path d="M5.6 5.5a1.4 1.4 0 1 1 2 1.3c-.5.3-.6.5-.6 1M7 9.8v.1" {...inner} strokeWidth={1.4} />
    </>
  ),
  "diamond-clock": (
    <>
      <path d="M7 1.3 12.7 7 7 12.7 1.3 7z" {...line} />
      <path d="M7 4.7v2.5l1.6 1" {...line} {...round} />
    </>
  ),
  "square-cross": (
    <>
      <rect x="1.2" y="1.2" width="11.6" height="11.6" rx="2.6" {...solid} />
      <path d="m4.7 4.7 4.6 4.6m0-4.6L4.7 9.3" {...inner} />
    </>
  ),
  speech: (
    <>
      <path d="M1.8 2.2h10.4v7.6H7l-2.7 2.6V9.8H1.8z" {...line} {...round} />
      <path d="M4.6 6h4.8" {...line} {...round} />
    </>
  ),
  "disc-tick": (
    <>
      {disc}
      <path d="m4.3 7.2 1.9 1.9 3.6-3.9" {...inner} />
    </>
  ),
  "disc-arrow": (
    <>
      {disc}
      <path d="M7 10V4.2M4.6 6.5 7 4.1l2.4 2.4" {...inner} />
    </>
  ),
  "disc-node": (
    <>
      {disc}
      <circle cx="7" cy="7" r="2" {...inner} />
      <path d="M2.5 7h2.3M9.2 7h2.3" {...inner} />
    </>
  ),
};

/** The words beside it say the same, so readers skip it. Its colour is that of the family around it. */
export function StateSign(props: {
  readonly sign: Sign;
  readonly size?: number;
  /** It names a state, and is not that of a run. */
  readonly isStill?: boolean;
}) {
  const { sign, size = 14, isStill = false } = props;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 14 14"
      aria-hidden="true"
      data-sign={sign}
      className="flex-none"
    >
      {sign === "ring-dot" && !isStill ? withRing(<BreathingDot />) : DRAWINGS[sign]}
    </svg>
  );
}

/** The verdict of a check or a gate row; `over` was allowed by a person. */
export type Verdict = "pass" | "fail" | "over" | "skipped";

const VERDICTS: Readonly<Record<Verdict, { readonly family: string; readonly path: ReactNode }>> = {
  pass: {
    family: "family-ready",
    path: <path d="m2.8 7.4 2.9 2.9L11.2 4" {...line} stroke="var(--tone)" strokeWidth={1.8} {...round} />,
  },
  fail: {
    family: "family-fail",
    path: <path d="m3.4 3.4 7.2 7.2m0-7.2-7.2 7.2" stroke="var(--tone)" strokeWidth={1.8} {...round} />,
  },
  over: {
    family: "family-needs",
    path: (
      <>
        <path d="M7 1.6 13 12H1z" {...line} {...round} />
        <path d="M7 5.5v3M7 10.2v.1" stroke="var(--tone)" strokeWidth={1.5} {...round} />
      </>
    ),
  },
  skipped: {
    family: "family-queue",
    path: <path d="M3 7h8" stroke="var(--tone)" strokeWidth={1.8} {...round} />,
  },
};

export function VerdictSign({ verdict }: { readonly verdict: Verdict }) {
  const { family, path } = VERDICTS[verdict];
  return (
    <svg width={14} height={14} viewBox="0 0 14 14" aria-hidden="true" className={`flex-none ${family}`}>
      {path}
    </svg>
  );
}
