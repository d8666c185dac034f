/** A handle between two panels: drag it, or move it by the arrows; a double click takes the first width back. */
import { type CSSProperties, type PointerEvent, useRef, useState } from "react";
import { preferences, setPreferences, usePreferences } from "../../data/preferences.ts";

type Side = "left" | "right";
type Widths = { readonly [S in Side]?: number };

const LEAST = 180;
const MOST = 720;
const STEP = 16;
/** No panel takes more of the screen, so that the middle keeps room on a smaller one. */
const SHARE = 0.4;

/** For the element that holds the panels, which is `relative`: its columns are `--left` and `--right`. */
export function usePanelWidths(screen: string, first: Widths): CSSProperties {
  const { panels } = usePreferences();
  const entries = Object.entries(first).map(([side, width]) => [
    `--${side}`,
    trackOf(panels[`${screen}.${side}`] ?? width),
  ]);
  return Object.fromEntries(entries) as CSSProperties;
}

const trackOf = (width: number) => `min(${width}px, ${SHARE * 100}%)`;

/** A direct child of that element. */
export function PanelHandle(props: {
  readonly screen: string;
  readonly side: Side;
  readonly first: number;
  /** Which panel it is. */
  readonly label: string;
  /** From which width of the screen on it is there. */
  readonly className: string;
}) {
  const { screen, side, first } = props;
  const name = `${screen}.${side}`;
  const { panels } = usePreferences();
  const width = panels[name] ?? first;
  const begun = useRef<{ readonly x: number; readonly width: number } | null>(null);
  const [isDragged, setDragged] = useState(false);
  const sign = side === "left" ? 1 : -1;
  const most = (handle: HTMLElement) => Math.min(MOST, (handle.parentElement?.clientWidth ?? MOST) * SHARE);
  const within = (handle: HTMLElement, wanted: number) =>
    Math.round(Math.max(LEAST, Math.min(most(handle), wanted)));
  /** Only a variable of the element changes while it is dragged: nothing is drawn anew by hand. */
  const dragTo = ({ currentTarget: handle, clientX }: PointerEvent<HTMLElement>): number | null => {
    if (begun.current === null) return null;
    const wanted = within(handle, begun.current.width + sign * (clientX - begun.current.x));
    handle.parentElement?.style.setProperty(`--${side}`, trackOf(wanted));
    return wanted;
  };
  const end = (event: PointerEvent<HTMLElement>) => {
    const wanted = dragTo(event);
    begun.current = null;
    setDragged(false);
    if (wanted !== null) keep(name, wanted);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that can be moved has a value, which a rule has not.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={props.label}
      aria-valuenow={Math.round(width)}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      data-dragged={isDragged || undefined}
      className={`panel-handle ${props.className}`}
      style={{ [side]: `calc(var(--${side}) - 4px)` }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { x: event.clientX, width: within(event.currentTarget, width) };
        setDragged(true);
      }}
      onPointerMove={dragTo}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => keep(name, null)}
      onKeyDown={(event) => {
        const by = event.key === "ArrowLeft" ? -STEP : event.key === "ArrowRight" ? STEP : 0;
        if (by === 0 || event.ctrlKey || event.metaKey) return;
        // With alt, a browser would go back or forward.
        event.preventDefault();
        keep(name, within(event.currentTarget, within(event.currentTarget, width) + sign * by));
      }}
    />
  );
}

/** Null: the first width again. */
function keep(name: string, width: number | null): void {
  const { [name]: _, ...others } = preferences().panels;
  setPreferences({ panels: width === null ? others : { ...others, [name]: width } });
}
