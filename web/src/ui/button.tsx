/** A button that never leaves the tab order: if it is off it says why, and if it works it keeps its label. */

import { LoaderCircle } from "lucide-react";
import {
  type ButtonHTMLAttributes,
  cloneElement,
  createContext,
  type ReactElement,
  type ReactNode,
  type Ref,
  useContext,
  useId,
} from "react";
import type { KeySpec } from "../data/keys/key-table.ts";
import { type Act, useWhyNot } from "../data/may.ts";
import { KeyCap } from "./key-cap.tsx";

export interface ButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled" | "aria-label"> {
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly size?: "normal" | "small" | "touch";
  /** The key that does the same. */
  readonly keySpec?: KeySpec | undefined;
  /** Whether what it sent is under way; a button that sends nothing has no such thing. */
  readonly busy?: boolean;
  /** What it asks of the server. Who may not do that is told so. */
  readonly asks?: Act | undefined;
  /** The fields of that by which it reaches further. */
  readonly sent?: Readonly<Record<string, unknown>> | undefined;
  /** Why it is off; absent or null if it is on. */
  readonly off?: string | null | undefined;
  readonly icon?: ReactNode;
  /** The name of a button that shows an icon alone. */
  readonly label?: string;
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Why nothing can be sent to the server now; null if it can. */
export const CannotSend = createContext<string | null>(null);

export function Button(props: ButtonProps) {
  const {
    kind = "plain",
    size = "normal",
    keySpec,
    busy = false,
    asks,
    sent,
    off: offByItself = null,
    icon,
    label,
    children,
    ...rest
  } = props;
  const reasonId = useId();
  const cannotSend = useContext(CannotSend);
  const sends = props.busy !== undefined;
  const whyNot = useWhyNot();
  // What sends something changes something, unless it says what it asks.
  const forbidden = asks !== undefined ? whyNot(asks, sent) : sends ? whyNot("stop") : null;
  const off = forbidden ?? offByItself ?? (sends ? cannotSend : null);
  const button = (
    <button
      type="button"
      {...rest}
      className={`button ${rest.className ?? ""}`}
      data-kind={kind}
      data-size={size}
      {...(children === undefined ? { "data-icon": "", "aria-label": label } : {})}
      aria-disabled={off !== null || busy || undefined}
      aria-busy={busy || undefined}
      {...(off === null ? {} : { "aria-describedby": reasonId })}
      onClick={(event) => {
        if (off === null && !busy) rest.onClick?.(event);
        else event.preventDefault();
      }}
    >
      {busy ? <LoaderCircle size={14} className="animate-spin motion-reduce:animate-none" /> : icon}
      {children}
      {keySpec !== undefined && <KeyCap spec={keySpec} />}
    </button>
  );
  if (off !== null)
    return (
      <>
        <Hint words={off}>{button}</Hint>
        <span id={reasonId} className="visually-hidden">
          {off}
        </span>
      </>
    );
  return children === undefined && label !== undefined ? <Hint words={label}>{button}</Hint> : button;
}

/** Says words beside what the pointer or the focus is on; readers know them by the name of that. */
export function Hint({ words, children }: { readonly words: string; readonly children: ReactElement }) {
  return cloneElement(children as ReactElement<{ "data-hint"?: string }>, { "data-hint": words });
}
