/** The parts of the form: a text box with its name and a hint, and a named group. */
import { type ReactNode, useId } from "react";

export function TextBox(props: {
  readonly name: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly className: string;
  readonly rows: number;
  readonly isFirst?: boolean;
  readonly children?: ReactNode;
}) {
  const id = useId();
  return (
    <div>
      <p className="mb-1.5 text-small text-ink-3">
        <label htmlFor={id} id={`${id}-name`} className="font-medium text-ink-2">
          {props.name}
        </label>{" "}
        <span id={`${id}-hint`}>{props.hint}</span>
      </p>
      <textarea
        id={id}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-hint`}
        className={`field resize-y ${props.className}`}
        rows={props.rows}
        value={props.value}
        // biome-ignore lint/a11y/noAutofocus: who opens this form wants to write the issue.
        autoFocus={props.isFirst === true}
        onChange={({ target }) => props.onChange(target.value)}
      />
      {props.children}
    </div>
  );
}

export function Labelled(props: { readonly name: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-small font-medium text-ink-2">
        {props.name}
      </label>
      {props.children(id)}
    </div>
  );
}
